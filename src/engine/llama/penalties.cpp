#include "engine/llama/penalties.h"

#include <algorithm>
#include <cstddef>

namespace switchyard::engine {

Penalties::Penalties(const core::Request& request)
    : repetition_(request.sampling.repetition_penalty),
      frequency_(request.sampling.frequency_penalty),
      presence_(request.sampling.presence_penalty) {
  const bool counts_prompt = repetition_ != 1;
  on_ = counts_prompt || frequency_ != 0 || presence_ != 0;
  if (!on_) return;
  std::vector<core::TokenId> prompt;
  if (counts_prompt) prompt = request.prompt;
  std::sort(prompt.begin(), prompt.end());
  prompt.erase(std::unique(prompt.begin(), prompt.end()), prompt.end());
  seen_.reserve(prompt.size() + static_cast<std::size_t>(request.max_tokens));
  for (const core::TokenId token : prompt) seen_.push_back({token, 0});
}

void Penalties::apply(std::span<float> logits) const {
  for (const Seen& seen : seen_) {
    float& logit = logits[static_cast<std::size_t>(seen.token)];
    logit = logit > 0 ? logit / repetition_ : logit * repetition_;
    if (seen.generated == 0) continue;
    logit -= frequency_ * static_cast<float>(seen.generated) + presence_;
  }
}

void Penalties::count(core::TokenId token) {
  if (!on_) return;
  const auto at =
      std::lower_bound(seen_.begin(), seen_.end(), token,
                       [](const Seen& seen, core::TokenId value) { return seen.token < value; });
  if (at != seen_.end() && at->token == token) {
    ++at->generated;
  } else {
    seen_.insert(at, {token, 1});
  }
}

}  // namespace switchyard::engine
