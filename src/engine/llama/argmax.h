#pragma once

#include <cstddef>
#include <span>

namespace switchyard::engine {

/// Index of the largest value, the lowest index on ties; NaN never wins. 0 if nothing is above −∞.
/// Greedy sampling of one 49,152-token row must cost microseconds, so the maximum is found block by
/// block with independent accumulators, and only the winning block is searched.
std::size_t argmax(std::span<const float> values);

/// The largest value; −∞ if there is none. NaN is ignored.
float max_value(std::span<const float> values);

}  // namespace switchyard::engine
