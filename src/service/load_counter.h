#pragma once

#include <atomic>
#include <cstdint>

namespace switchyard::service {

/// Sequences of one lane that were submitted and have not ended: running in a stream or waiting for
/// one. Thread safe.
class LoadCounter {
 public:
  /// Counts `n` new sequences in, unless there would be more than `limit` then.
  bool try_reserve(std::int64_t n, std::int64_t limit) {
    std::int64_t live = live_.load();
    do {
      if (live + n > limit) return false;
    } while (!live_.compare_exchange_weak(live, live + n));
    return true;
  }

  void ended(std::int64_t n) { live_.fetch_sub(n); }

 private:
  std::atomic<std::int64_t> live_{0};
};

}  // namespace switchyard::service
