#include "calibration/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace switchyard::calibration {
namespace {

/// Where a value lies on an axis: value = (1 − weight) × axis[low] + weight × axis[high]. The
/// weight is outside 0 … 1 beyond the ends.
struct Position {
  std::size_t low = 0;
  std::size_t high = 0;
  double weight = 0;
};

Position locate(std::span<const std::int32_t> axis, double value) {
  if (axis.size() < 2) return {};
  std::size_t high = 1;
  while (high + 1 < axis.size() && value > axis[high]) ++high;
  const double from = axis[high - 1];
  return {high - 1, high, (value - from) / (axis[high] - from)};
}

double mix(double from, double to, double weight) { return from + weight * (to - from); }

}  // namespace

const ModeCosts* find_mode(const Calibration& calibration, std::string_view mode) {
  const auto found = std::find_if(calibration.modes.begin(), calibration.modes.end(),
                                  [&](const ModeCosts& costs) { return costs.mode == mode; });
  return found == calibration.modes.end() ? nullptr : &*found;
}

std::array<double, 4> prefill_terms(double new_tokens, double context, double chunk_tokens) {
  const double passes = std::ceil(new_tokens / chunk_tokens);
  return {passes, passes * context + chunk_tokens * passes * (passes - 1) / 2, new_tokens,
          new_tokens * (context + new_tokens / 2)};
}

double prefill_ms(const ModeCosts& costs, double new_tokens, double context) {
  if (new_tokens <= 0) return 0;
  const auto terms = prefill_terms(new_tokens, context, costs.prefill_chunk_tokens);
  return terms[0] * costs.prefill_pass_ms + terms[1] * costs.prefill_pass_context_ms +
         terms[2] * costs.prefill_token_ms + terms[3] * costs.prefill_attention_ms;
}

double decode_ms(const ModeCosts& costs, double batch, double context) {
  const Position row = locate(costs.decode_batches, batch);
  const Position column = locate(costs.decode_contexts, context);
  const std::size_t width = costs.decode_contexts.size();
  const auto at = [&](std::size_t i, std::size_t j) {
    return costs.decode_table_ms[i * width + j];
  };
  const double low = mix(at(row.low, column.low), at(row.low, column.high), column.weight);
  const double high = mix(at(row.high, column.low), at(row.high, column.high), column.weight);
  return std::max(0.0, mix(low, high, row.weight));
}

double verify_ratio(const ModeCosts& costs, double tokens) {
  const std::vector<VerifyRatio>& points = costs.verify_ratios;
  if (points.size() < 2) return 1;
  std::size_t high = 1;
  while (high + 1 < points.size() && tokens > points[high].tokens) ++high;
  const VerifyRatio& from = points[high - 1];
  const VerifyRatio& to = points[high];
  return mix(from.ratio, to.ratio, (tokens - from.tokens) / (to.tokens - from.tokens));
}

double verify_ms(const ModeCosts& costs, double tokens, double context) {
  return verify_ratio(costs, tokens) * decode_ms(costs, 1, context);
}

std::optional<double> restore_ms(const ModeCosts& costs, double tokens) {
  if (!costs.restore_fixed_ms || !costs.restore_token_ms) return std::nullopt;
  return *costs.restore_fixed_ms + tokens * *costs.restore_token_ms;
}

}  // namespace switchyard::calibration
