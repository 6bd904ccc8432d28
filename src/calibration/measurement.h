#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace switchyard::calibration {

/// One point as it was measured; kept in the file for reports, not needed to evaluate costs.
struct Measurement {
  std::string what;  ///< "prefill", "decode", "verify" or "restore"
  std::int32_t batch = 1;
  std::int32_t tokens = 1;  ///< per sequence
  std::int32_t context = 0;
  double median_ms = 0;
  double spread = 0;  ///< interquartile range / median
  std::uint64_t samples = 0;
};

/// The measurements of one mode.
struct MeasuredMode {
  std::string mode;
  std::vector<Measurement> points;
};

}  // namespace switchyard::calibration
