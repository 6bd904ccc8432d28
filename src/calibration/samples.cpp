#include "calibration/samples.h"

#include <algorithm>
#include <cmath>

namespace switchyard::calibration {
namespace {

/// Linear between ranks. Precondition: sorted, not empty.
double quantile(std::span<const double> sorted, double fraction) {
  const double rank = fraction * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(rank);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return std::lerp(sorted[low], sorted[high], rank - static_cast<double>(low));
}

}  // namespace

Summary summarize(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  Summary summary{.median = quantile(samples, 0.5), .count = samples.size()};
  const double range = quantile(samples, 0.75) - quantile(samples, 0.25);
  if (summary.median > 0) summary.spread = range / summary.median;
  return summary;
}

double median_of(std::span<const double> samples) {
  return summarize({samples.begin(), samples.end()}).median;
}

}  // namespace switchyard::calibration
