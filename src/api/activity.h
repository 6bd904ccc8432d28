#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace switchyard::api {

/// Counts requests being answered. begin/end are cheap; only the draining server waits.
class Activity {
 public:
  class Scope {
   public:
    explicit Scope(Activity& activity) : activity_(activity) { ++activity_.running_; }
    ~Scope() {
      // Order matters: a waiter sets draining_ before it looks at running_.
      if (--activity_.running_ == 0 && activity_.draining_) {
        std::lock_guard lock(activity_.mutex_);
        activity_.idle_.notify_all();
      }
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Activity& activity_;
  };

  void begin_drain() { draining_ = true; }
  bool draining() const { return draining_; }

  /// Precondition: begin_drain() was called.
  bool wait_idle(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    return idle_.wait_until(lock, deadline, [this] { return running_ == 0; });
  }

 private:
  std::atomic<int> running_{0};
  std::atomic<bool> draining_{false};
  std::mutex mutex_;
  std::condition_variable idle_;
};

}  // namespace switchyard::api
