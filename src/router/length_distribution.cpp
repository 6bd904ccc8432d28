#include "router/length_distribution.h"

#include <algorithm>
#include <cmath>

namespace switchyard::router {
namespace {

/// Standard normal quantiles at 10, 30, 50, 70, 90 %, over that of 90 %.
constexpr std::array<double, LengthDistribution::kPoints> kQuantiles = {-1, -0.4092, 0, 0.4092, 1};

}  // namespace

float LengthDistribution::mean() const {
  float sum = 0;
  for (const float length : tokens) sum += length;
  return sum / kPoints;
}

float LengthDistribution::mean_context() const {
  float sum = 0;
  float squares = 0;
  for (const float length : tokens) {
    sum += length;
    squares += length * length;
  }
  return squares / (2 * sum);
}

LengthDistribution lengths_from_quantiles(double p50, double p90, std::int32_t max_tokens) {
  const double median = std::max(1.0, p50);
  const double ratio = std::max(median, p90) / median;
  const double cap = std::max(1, max_tokens);
  LengthDistribution lengths;
  for (std::size_t i = 0; i < kQuantiles.size(); ++i) {
    const double length = median * std::pow(ratio, kQuantiles[i]);
    lengths.tokens[i] = static_cast<float>(std::clamp(length, 1.0, cap));
  }
  return lengths;
}

LengthDistribution exact_length(std::int32_t tokens) {
  LengthDistribution lengths;
  lengths.tokens.fill(static_cast<float>(std::max(1, tokens)));
  return lengths;
}

}  // namespace switchyard::router
