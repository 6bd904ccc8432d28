#pragma once

#include <condition_variable>
#include <mutex>

#include "core/types.h"

namespace switchyard::engine {

/// Makes steps take their modelled time on average. A sleep below about 200 us is mostly timer
/// slack, so shorter costs are owed until they add up; time overslept is credited to later steps.
/// `abort` may be called from any thread, the rest from one.
class Pacer {
 public:
  /// Blocks until `seconds` have passed since `began`, or owes them. False: aborted.
  bool pace(core::TimePoint began, double seconds);
  void abort() noexcept;
  bool aborted() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool aborted_ = false;
  double owed_seconds_ = 0;
};

}  // namespace switchyard::engine
