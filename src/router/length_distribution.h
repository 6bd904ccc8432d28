#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace switchyard::router {

/// Predicted output length: a few lengths of equal probability, ascending, each ≥ 1.
struct LengthDistribution {
  static constexpr std::size_t kPoints = 5;
  std::array<float, kPoints> tokens = {1, 1, 1, 1, 1};  ///< at 10, 30, 50, 70 and 90 %

  float p50() const { return tokens[2]; }
  float p90() const { return tokens[4]; }
  float mean() const;
  /// Mean number of output tokens in context while the output is made, each token counted once:
  /// E[L²] / 2 E[L]. With a step time linear in context, E[Σ step] = mean() × step(prompt + this).
  float mean_context() const;
};

/// A log-normal with these quantiles, each length cut at `max_tokens`. Values below 1 count as 1, a
/// p90 below p50 as p50.
LengthDistribution lengths_from_quantiles(double p50, double p90, std::int32_t max_tokens);

/// Exactly this many, e.g. where the client ignores the end of generation.
LengthDistribution exact_length(std::int32_t tokens);

}  // namespace switchyard::router
