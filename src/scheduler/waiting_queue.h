#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/request.h"

namespace switchyard::scheduler {

/// Which waiting request of a lane is admitted next: the one whose arrival plus handicap is
/// earliest. A handicap that grows with the work of a request lets short ones overtake long ones,
/// but none is overtaken by one that arrives later than its own handicap; without handicaps it is
/// first come, first served. O(log n). Not thread safe.
class WaitingQueue {
 public:
  using RequestPtr = std::shared_ptr<const core::Request>;

  /// Precondition: no request of this id is waiting.
  void push(RequestPtr request, core::Duration handicap = {});
  /// The next to admit. Precondition: !empty().
  const RequestPtr& front() const { return order_.begin()->second; }
  /// Precondition: !empty().
  RequestPtr pop();
  bool remove(core::RequestId id);
  /// Removes requests that arrived before `deadline` and appends their ids.
  void expire(core::TimePoint deadline, std::vector<core::RequestId>& expired);

  bool empty() const { return order_.empty(); }
  std::size_t size() const { return order_.size(); }

 private:
  using Key = std::pair<core::TimePoint, std::uint64_t>;  ///< equal times: in order of push
  struct Place {
    Key due;
    Key arrival;
  };

  std::map<Key, RequestPtr> order_;
  std::map<Key, core::RequestId> arrivals_;
  std::unordered_map<core::RequestId, Place> by_id_;
  std::uint64_t pushed_ = 0;
};

}  // namespace switchyard::scheduler
