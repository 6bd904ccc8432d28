#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/request.h"

namespace switchyard::scheduler {

/// Which waiting request of a lane is admitted next: first come, first served. Every operation is
/// O(1), expire() O(expired). Not thread safe.
class WaitingQueue {
 public:
  using RequestPtr = std::shared_ptr<const core::Request>;

  /// Precondition: no request of this id is waiting.
  void push(RequestPtr request);
  /// The next to admit. Precondition: !empty().
  const RequestPtr& front() const { return order_.front(); }
  /// Precondition: !empty().
  RequestPtr pop();
  bool remove(core::RequestId id);
  /// Removes requests that arrived before `deadline` and appends their ids. Requests are pushed in
  /// order of arrival; one pushed out of order leaves with the next one in front of it.
  void expire(core::TimePoint deadline, std::vector<core::RequestId>& expired);

  bool empty() const { return order_.empty(); }
  std::size_t size() const { return order_.size(); }

 private:
  std::list<RequestPtr> order_;
  std::unordered_map<core::RequestId, std::list<RequestPtr>::iterator> by_id_;
};

}  // namespace switchyard::scheduler
