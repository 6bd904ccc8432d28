#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/batch.h"

namespace switchyard::engine {

/// log Σ exp(logits), so that a token's log-probability is its logit minus this.
float log_sum_exp(std::span<const float> logits);

/// The `count` most likely tokens, most likely first, lower token first on ties.
std::vector<core::TokenLogprob> most_likely(std::span<const float> logits, float log_sum,
                                            std::int32_t count);

}  // namespace switchyard::engine
