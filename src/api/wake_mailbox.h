#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace switchyard::api {

/// What a wake-up is for. `on_wake` is set, cleared and called on the worker thread only; an empty
/// one means that the interest has ended.
struct WakeTarget {
  std::function<void()> on_wake;
};

/// Carries wake-ups from the engine thread to one worker thread. A step of the engine wakes many
/// connections; they cost one posted task together.
class WakeMailbox {
 public:
  /// `post_drain` makes the worker thread call drain() soon; called on any thread, under a lock.
  explicit WakeMailbox(std::function<void()> post_drain) : post_drain_(std::move(post_drain)) {}

  /// Any thread; does not block beyond a short lock.
  void notify(std::shared_ptr<WakeTarget> target) {
    std::lock_guard lock(mutex_);
    if (!post_drain_) return;
    targets_.push_back(std::move(target));
    if (targets_.size() == 1) post_drain_();
  }

  /// Worker thread.
  void drain() {
    std::vector<std::shared_ptr<WakeTarget>> targets;
    {
      std::lock_guard lock(mutex_);
      targets.swap(targets_);
    }
    for (const auto& target : targets) {
      if (target->on_wake) target->on_wake();
    }
  }

  /// After this nothing is posted any more. Any thread.
  void close() {
    std::lock_guard lock(mutex_);
    post_drain_ = nullptr;
    targets_.clear();
  }

 private:
  std::mutex mutex_;
  std::function<void()> post_drain_;
  std::vector<std::shared_ptr<WakeTarget>> targets_;
};

}  // namespace switchyard::api
