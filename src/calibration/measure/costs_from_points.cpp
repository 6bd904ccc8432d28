#include "calibration/measure/costs_from_points.h"

#include <algorithm>
#include <vector>

#include "calibration/fit.h"

namespace switchyard::calibration {
namespace {

double median_at(std::span<const TimedPoint> points, const Point& wanted) {
  const auto found = std::find_if(points.begin(), points.end(),
                                  [&](const TimedPoint& timed) { return timed.point == wanted; });
  return found == points.end() ? 0 : found->ms.median;
}

void insert(std::int32_t value, std::vector<std::int32_t>& axis) {
  const auto at = std::lower_bound(axis.begin(), axis.end(), value);
  if (at == axis.end() || *at != value) axis.insert(at, value);
}

void set_prefill(std::span<const TimedPoint> points, std::int32_t chunk_tokens, ModeCosts& costs) {
  std::vector<PrefillPoint> prefills;
  for (const TimedPoint& timed : points) {
    if (timed.point.what != What::kPrefill) continue;
    prefills.push_back({timed.point.tokens, timed.point.context, timed.ms.median});
  }
  const Fit fit = fit_prefill(prefills, chunk_tokens);
  costs.prefill_chunk_tokens = chunk_tokens;
  costs.prefill_pass_ms = fit.coefficients[0];
  costs.prefill_pass_context_ms = fit.coefficients[1];
  costs.prefill_token_ms = fit.coefficients[2];
  costs.prefill_attention_ms = fit.coefficients[3];
  costs.fit_error = fit.error;
}

void set_decode(std::span<const TimedPoint> points, ModeCosts& costs) {
  for (const TimedPoint& timed : points) {
    if (timed.point.what != What::kDecode) continue;
    insert(timed.point.batch, costs.decode_batches);
    insert(timed.point.context, costs.decode_contexts);
  }
  for (const std::int32_t batch : costs.decode_batches) {
    for (const std::int32_t context : costs.decode_contexts) {
      costs.decode_table_ms.push_back(median_at(points, {What::kDecode, batch, 1, context}));
    }
  }
}

void set_verify(std::span<const TimedPoint> points, ModeCosts& costs) {
  costs.verify_ratios = {{1, 1}};
  for (const TimedPoint& timed : points) {
    if (timed.point.what != What::kVerify) continue;
    const double one = median_at(points, {What::kDecode, 1, 1, timed.point.context});
    costs.verify_ratios.push_back({timed.point.tokens, timed.ms.median / one});
  }
}

/// Stays unknown where no stream was copied; free where copying took no time (a simulated lane).
void set_restore(std::span<const TimedPoint> points, ModeCosts& costs) {
  std::vector<FitRow> rows;
  bool measured = false;
  for (const TimedPoint& timed : points) {
    if (timed.point.what != What::kRestore) continue;
    measured = true;
    if (timed.ms.median <= 0) continue;
    rows.push_back({{1, static_cast<double>(timed.point.context)}, timed.ms.median});
  }
  if (!measured) return;
  const Fit fit = fit_nonnegative(rows);
  costs.restore_fixed_ms = fit.coefficients[0];
  costs.restore_token_ms = fit.coefficients[1];
  costs.restore_error = fit.error;
}

}  // namespace

void set_costs(std::span<const TimedPoint> points, std::int32_t chunk_tokens, ModeCosts& costs) {
  set_prefill(points, chunk_tokens, costs);
  set_decode(points, costs);
  set_verify(points, costs);
  set_restore(points, costs);
  for (const TimedPoint& timed : points) {
    if (timed.point.what == What::kRestore)
      continue;  // a difference of two times, of little weight
    costs.spread = std::max(costs.spread, timed.ms.spread);
  }
}

}  // namespace switchyard::calibration
