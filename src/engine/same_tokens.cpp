#include "engine/same_tokens.h"

#include <algorithm>
#include <cmath>

namespace switchyard::engine {

TokenComparison compare_tokens(std::span<const core::TokenId> expected,
                               std::span<const core::TokenId> actual, const LogitGap& reference_gap,
                               float near_tie) {
  TokenComparison result;
  const std::size_t common = std::min(expected.size(), actual.size());
  std::size_t at = 0;
  while (at < common && expected[at] == actual[at]) ++at;
  if (at == common) {
    result.same = expected.size() == actual.size();
    if (!result.same) result.first_difference = at;
    result.explanation = result.same ? "equal"
                                     : "lengths differ: " + std::to_string(expected.size()) +
                                           " and " + std::to_string(actual.size());
    return result;
  }
  result.first_difference = at;
  result.gap = reference_gap(at, expected[at], actual[at]);
  result.same = std::abs(result.gap) <= near_tie;  // false for NaN
  result.explanation = "tokens " + std::to_string(expected[at]) + " and " +
                       std::to_string(actual[at]) + " differ at " + std::to_string(at) +
                       ", reference gap " + std::to_string(result.gap) +
                       (result.same ? " is a near-tie" : " is over " + std::to_string(near_tie));
  return result;
}

}  // namespace switchyard::engine
