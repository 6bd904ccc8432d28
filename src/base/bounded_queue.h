#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace switchyard {

/// Multi-producer, single-consumer mailbox. Every method may be called from any thread.
/// `try_push` never blocks: it refuses when the queue holds `capacity` items or is closed.
/// Closing wakes the consumer; items pushed before the close are still delivered.
template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  [[nodiscard]] bool try_push(T item) {
    {
      std::lock_guard lock(mutex_);
      if (closed_ || items_.size() >= capacity_) return false;
      items_.push_back(std::move(item));
    }
    ready_.notify_one();
    return true;
  }

  /// Takes everything that is there, without blocking.
  std::deque<T> drain() {
    std::lock_guard lock(mutex_);
    return std::exchange(items_, {});
  }

  /// Blocks until there is an item, the queue is closed, or `deadline` passes; then as drain().
  template <typename Clock, typename Duration>
  std::deque<T> wait_drain_until(std::chrono::time_point<Clock, Duration> deadline) {
    std::unique_lock lock(mutex_);
    ready_.wait_until(lock, deadline, [&] { return closed_ || !items_.empty(); });
    return std::exchange(items_, {});
  }

  /// Blocks until there is an item or the queue is closed; then as drain().
  std::deque<T> wait_drain() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [&] { return closed_ || !items_.empty(); });
    return std::exchange(items_, {});
  }

  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    ready_.notify_all();
  }

  bool closed() const {
    std::lock_guard lock(mutex_);
    return closed_;
  }

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace switchyard
