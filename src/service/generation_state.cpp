#include "service/generation_state.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace switchyard::service {

GenerationState::GenerationState(std::int32_t choices, std::int64_t prompt_tokens, bool stream,
                                 std::function<void()> wake)
    : stream_(stream), wake_(std::move(wake)), open_choices_(choices) {
  usage_.prompt_tokens = prompt_tokens;
}

void GenerationState::set_cached_tokens(std::int64_t cached_tokens) {
  std::lock_guard lock(mutex_);
  usage_.cached_tokens = cached_tokens;
}

void GenerationState::count_tokens(std::int64_t sampled) {
  std::lock_guard lock(mutex_);
  usage_.completion_tokens += sampled;
}

void GenerationState::push(Delta delta, std::int64_t sampled) {
  std::lock_guard lock(mutex_);
  usage_.completion_tokens += sampled;
  const bool last = delta.finish != core::FinishReason::kNone;
  const bool failed = delta.error.has_value();
  if (last) --open_choices_;

  const auto same_choice = std::find_if(pending_.begin(), pending_.end(),
                                        [&](const Delta& d) { return d.choice == delta.choice; });
  if (same_choice == pending_.end()) {
    pending_.push_back(std::move(delta));
  } else {
    same_choice->text += delta.text;
    std::move(delta.logprobs.begin(), delta.logprobs.end(),
              std::back_inserter(same_choice->logprobs));
    same_choice->finish = delta.finish;
    same_choice->error = std::move(delta.error);
  }
  const bool due = stream_ || failed || open_choices_ == 0;
  if (due && !woken_ && wake_) {
    woken_ = true;
    // Under the lock, so that detach() can promise that no wake-up is under way.
    wake_();
  }
}

std::vector<Delta> GenerationState::take() {
  std::lock_guard lock(mutex_);
  woken_ = false;
  return std::exchange(pending_, {});
}

bool GenerationState::finished() const {
  std::lock_guard lock(mutex_);
  return open_choices_ == 0 && pending_.empty();
}

bool GenerationState::ended() const {
  std::lock_guard lock(mutex_);
  return open_choices_ == 0;
}

Usage GenerationState::usage() const {
  std::lock_guard lock(mutex_);
  return usage_;
}

void GenerationState::detach() {
  std::lock_guard lock(mutex_);
  wake_ = nullptr;
}

}  // namespace switchyard::service
