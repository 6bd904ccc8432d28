#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace switchyard::calibration {

struct Summary {
  double median = 0;
  double spread = 0;  ///< interquartile range / median; 0 for a median of 0
  std::size_t count = 0;
};

/// What else runs on the machine only ever makes a step slower, and by chance: the median of
/// repeated steps ignores it as long as it hits fewer than half. All 0 for no samples.
Summary summarize(std::vector<double> samples);

double median_of(std::span<const double> samples);

}  // namespace switchyard::calibration
