#include "scheduler/waiting_queue.h"

#include "scheduler/require.h"

namespace switchyard::scheduler {

void WaitingQueue::push(RequestPtr request, core::Duration handicap) {
  const core::RequestId id = request->id;
  const Place place{{request->arrival + handicap, pushed_}, {request->arrival, pushed_}};
  ++pushed_;
  const bool added = by_id_.emplace(id, place).second;
  require(added, "request id already waits");
  arrivals_.emplace(place.arrival, id);
  order_.emplace(place.due, std::move(request));
}

WaitingQueue::RequestPtr WaitingQueue::pop() {
  RequestPtr request = front();
  remove(request->id);
  return request;
}

bool WaitingQueue::remove(core::RequestId id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return false;
  order_.erase(found->second.due);
  arrivals_.erase(found->second.arrival);
  by_id_.erase(found);
  return true;
}

void WaitingQueue::expire(core::TimePoint deadline, std::vector<core::RequestId>& expired) {
  while (!arrivals_.empty() && arrivals_.begin()->first.first < deadline) {
    expired.push_back(arrivals_.begin()->second);
    remove(expired.back());
  }
}

}  // namespace switchyard::scheduler
