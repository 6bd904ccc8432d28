#pragma once

#include <algorithm>
#include <cstdint>

#include "calibration/calibration.h"

namespace switchyard::router {

/// Prefill times of one lane, compiled: calibration::prefill_ms() without a call or a floating
/// division, in float (7 digits). Prompts have at least one token.
class PrefillCosts {
 public:
  explicit PrefillCosts(const calibration::ModeCosts& costs);

  struct Prefill {
    float ms = 0;
    float passes = 0;
  };

  /// All of the prompt is computed.
  Prefill plain(std::int32_t prompt_tokens) const { return compute(prompt_tokens, 0); }

  /// The first `shared_tokens` are restored; at least one token is computed.
  Prefill shared(std::int32_t prompt_tokens, std::int32_t shared_tokens) const {
    const std::int32_t restored = std::min(shared_tokens, prompt_tokens - 1);
    const auto context = static_cast<float>(restored);
    Prefill prefill = compute(prompt_tokens - restored, context);
    prefill.ms += restore_ms_ + context * restore_token_ms_;
    return prefill;
  }

 private:
  Prefill compute(std::int32_t tokens, float context) const {
    const auto n = static_cast<float>(tokens);
    // Rounded up without a division: half a token keeps exact multiples off the edge.
    const auto full_passes = static_cast<float>(static_cast<std::int32_t>((n - 0.5F) * per_chunk_));
    const float passes = full_passes + 1;
    const float before = context + chunk_ * full_passes / 2;
    return {passes * (pass_ms_ + before * pass_context_ms_) +
                n * (token_ms_ + (context + n / 2) * attention_ms_),
            passes};
  }

  float chunk_;
  float per_chunk_;
  float pass_ms_;
  float pass_context_ms_;
  float token_ms_;
  float attention_ms_;
  float restore_ms_ = 0;
  float restore_token_ms_;
};

}  // namespace switchyard::router
