#include "router/step_table.h"

namespace switchyard::router {

StepTable::StepTable(const calibration::ModeCosts& costs, std::int32_t max_batch)
    : max_batch_(std::clamp(max_batch, 1, kMaxBatch)) {
  lines_.resize(static_cast<std::size_t>(max_batch_ + 1) * kContextOctaves);
  for (std::int32_t batch = 1; batch <= max_batch_; ++batch) {
    for (std::size_t octave = 0; octave < kContextOctaves; ++octave) {
      const double from = octave_begin(octave);
      const double to = octave_begin(octave + 1);
      const double at_from = calibration::decode_ms(costs, batch, from);
      const double slope = (calibration::decode_ms(costs, batch, to) - at_from) / (to - from);
      lines_[static_cast<std::size_t>(batch) * kContextOctaves + octave] = {
          static_cast<float>(at_from - slope * from), static_cast<float>(slope)};
    }
  }
}

}  // namespace switchyard::router
