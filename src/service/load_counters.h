#pragma once

#include <atomic>
#include <cstdint>

namespace switchyard::service {

/// Counts of sequences: submitted ones wait for a stream until `admitted`, and live until `ended`.
/// Thread safe.
class LoadCounters {
 public:
  /// Counts `n` new sequences in, unless more than `limit` would wait then.
  bool try_reserve(std::int64_t n, std::int64_t limit) {
    std::int64_t waiting = waiting_.load();
    do {
      if (waiting + n > limit) return false;
    } while (!waiting_.compare_exchange_weak(waiting, waiting + n));
    live_.fetch_add(n);
    return true;
  }

  void admitted() { waiting_.fetch_sub(1); }

  void ended(std::int64_t n, bool while_waiting) {
    if (while_waiting) waiting_.fetch_sub(n);
    live_.fetch_sub(n);
  }

  std::int64_t live() const { return live_.load(); }

 private:
  std::atomic<std::int64_t> waiting_{0};
  std::atomic<std::int64_t> live_{0};
};

}  // namespace switchyard::service
