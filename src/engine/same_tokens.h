#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/types.h"

namespace switchyard::engine {

/// Logit of `expected` minus logit of `actual` as the next token behind the first `position`
/// generated tokens, evaluated by the reference alone.
using LogitGap =
    std::function<float(std::size_t position, core::TokenId expected, core::TokenId actual)>;

struct TokenComparison {
  bool same = false;  ///< equal, or first different at a near-tie
  std::optional<std::size_t> first_difference;
  float gap = 0.0F;         ///< the reference's gap there
  std::string explanation;  ///< one line for a test's failure message or a report
};

/// The one rule for "lossless" under greedy sampling: two token lists are the same if they are
/// equal, or if where they first differ the reference, alone, holds the two candidates within
/// `near_tie` logits (kernels differ by batch size in the last bits, so a tie may fall either way,
/// and what follows is another text). A list that only ends earlier is not the same.
TokenComparison compare_tokens(std::span<const core::TokenId> expected,
                               std::span<const core::TokenId> actual, const LogitGap& reference_gap,
                               float near_tie);

}  // namespace switchyard::engine
