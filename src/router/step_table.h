#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "calibration/calibration.h"

namespace switchyard::router {

/// Contexts are told apart by octaves: 0 … 63 tokens, 64 … 127, …, 65,536 and more.
inline constexpr std::size_t kContextOctaves = 12;
inline std::size_t context_octave(float context_tokens) {
  const auto blocks = static_cast<std::uint32_t>(std::max(0.0F, context_tokens)) / 64;
  return std::min<std::size_t>(std::bit_width(blocks), kContextOctaves - 1);
}
/// First context of an octave; of kContextOctaves the end of the last.
inline float octave_begin(std::size_t octave) {
  return octave == 0 ? 0.0F : static_cast<float>(32U << octave);
}

/// Decode times of one lane, compiled: for each batch from 0 to `max_batch` and each octave of
/// context a line in the context. Exact where the calibration is linear inside the octave, and at
/// its ends always. Beyond the last batch, that batch's. A lookup is one multiply-add.
class StepTable {
 public:
  static constexpr std::int32_t kMaxBatch = 256;

  StepTable(const calibration::ModeCosts& costs, std::int32_t max_batch);

  /// Milliseconds of a step of `batch` sequences of `context_tokens` on average; 0 for none.
  float step_ms(std::int32_t batch, float context_tokens) const {
    const auto row = static_cast<std::size_t>(std::min(batch, max_batch_));
    const Line& line = lines_[row * kContextOctaves + context_octave(context_tokens)];
    return line.at_zero + line.per_token * context_tokens;
  }

  std::size_t bytes() const { return lines_.size() * sizeof(Line); }

 private:
  struct Line {
    float at_zero = 0;
    float per_token = 0;
  };
  std::int32_t max_batch_;
  std::vector<Line> lines_;  ///< [batch][octave]
};

}  // namespace switchyard::router
