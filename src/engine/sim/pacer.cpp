#include "engine/sim/pacer.h"

#include <algorithm>
#include <chrono>

namespace switchyard::engine {
namespace {

constexpr double kShortestSleepSeconds = 200e-6;
/// A step that took far longer than its model (a descheduled thread) does not make the next ones
/// free for more than this.
constexpr double kLargestCreditSeconds = 2e-3;

}  // namespace

bool Pacer::pace(core::TimePoint began, double seconds) {
  owed_seconds_ += seconds - core::to_seconds(core::Clock::now() - began);
  owed_seconds_ = std::max(owed_seconds_, -kLargestCreditSeconds);
  std::unique_lock lock(mutex_);
  if (owed_seconds_ < kShortestSleepSeconds) return !aborted_;
  const core::TimePoint slept_from = core::Clock::now();
  const auto until = slept_from + std::chrono::duration_cast<core::Duration>(
                                      std::chrono::duration<double>(owed_seconds_));
  wake_.wait_until(lock, until, [this] { return aborted_; });
  owed_seconds_ -= core::to_seconds(core::Clock::now() - slept_from);
  return !aborted_;
}

void Pacer::abort() noexcept {
  {
    std::lock_guard lock(mutex_);
    aborted_ = true;
  }
  wake_.notify_all();
}

bool Pacer::aborted() const {
  std::lock_guard lock(mutex_);
  return aborted_;
}

}  // namespace switchyard::engine
