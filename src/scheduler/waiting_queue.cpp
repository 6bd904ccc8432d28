#include "scheduler/waiting_queue.h"

#include <utility>

#include "scheduler/require.h"

namespace switchyard::scheduler {

void WaitingQueue::push(RequestPtr request) {
  const core::RequestId id = request->id;
  order_.push_back(std::move(request));
  const bool added = by_id_.emplace(id, std::prev(order_.end())).second;
  require(added, "request id already waits");
}

WaitingQueue::RequestPtr WaitingQueue::pop() {
  RequestPtr request = std::move(order_.front());
  order_.pop_front();
  by_id_.erase(request->id);
  return request;
}

bool WaitingQueue::remove(core::RequestId id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return false;
  order_.erase(found->second);
  by_id_.erase(found);
  return true;
}

void WaitingQueue::expire(core::TimePoint deadline, std::vector<core::RequestId>& expired) {
  while (!order_.empty() && order_.front()->arrival < deadline) expired.push_back(pop()->id);
}

}  // namespace switchyard::scheduler
