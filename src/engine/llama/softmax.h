#pragma once

#include <cstddef>
#include <span>

namespace switchyard::engine {

/// out[i] = exp((logits[i] − largest) · scale), of which every exponent must be at most 0, within
/// 2e-7 of it relatively; 0 for what is below e^−87, for −∞ and for NaN. `out` is as long as
/// `logits`. A row of 49,152 logits takes some tens of microseconds: sampling one token must not
/// cost more than a percent of the pass that made them.
void exp_weights(std::span<const float> logits, float largest, float scale, std::span<float> out);

/// The sum of those weights.
double exp_sum(std::span<const float> logits, float largest, float scale);

}  // namespace switchyard::engine
