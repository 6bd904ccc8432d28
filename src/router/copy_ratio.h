#pragma once

#include <cstdint>
#include <span>

namespace switchyard::router {

/// Share of the prompt's 3-grams that occurred before in it, of the last 4,096 tokens: 0 for a text
/// that never repeats itself. No allocation; about 10 us for 4,096 tokens.
double repeated_share(std::span<const std::int32_t> tokens);

/// Share of the output's tokens expected to lie in stretches that n-gram lookup finds in the
/// prompt.
double copy_ratio(double repeated, bool asks_to_copy);

}  // namespace switchyard::router
