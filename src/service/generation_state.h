#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "service/service.h"

namespace switchyard::service {

/// What the engine thread writes and the reader takes. Thread safe; the lock is held for a few
/// moves. Bounded: text of one choice is merged into one delta until it is taken, and a choice
/// makes at most max_tokens tokens.
class GenerationState {
 public:
  /// `stream`: wake the reader whenever something can be taken, else only when all choices ended or
  /// one failed.
  GenerationState(std::int32_t choices, std::int64_t prompt_tokens, bool stream,
                  std::function<void()> wake);

  // Engine thread.
  void set_cached_tokens(std::int64_t cached_tokens);
  /// Sampled tokens that made nothing to send yet.
  void count_tokens(std::int64_t sampled);
  /// `sampled`: tokens this delta stands for.
  void push(Delta delta, std::int64_t sampled);

  // Reader.
  std::vector<Delta> take();
  bool finished() const;
  /// No choice is waiting or running; its last deltas may not have been taken.
  bool ended() const;
  Usage usage() const;
  /// No wake-up starts after this returns.
  void detach();

 private:
  const bool stream_;
  mutable std::mutex mutex_;
  std::function<void()> wake_;
  std::vector<Delta> pending_;
  std::int32_t open_choices_;
  bool woken_ = false;
  Usage usage_;
};

}  // namespace switchyard::service
