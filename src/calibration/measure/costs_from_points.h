#pragma once

#include <span>

#include "calibration/calibration.h"
#include "calibration/measure/measurement_plan.h"
#include "calibration/samples.h"

namespace switchyard::calibration {

struct TimedPoint {
  Point point;
  Summary ms;
};

/// Fills the fits and tables, their errors and the spread from the points of a measurement plan, in
/// any order. Preconditions: every point was measured; decodes at every pair of their batches and
/// contexts; at the context of a verification also the decode of one sequence.
void set_costs(std::span<const TimedPoint> points, std::int32_t chunk_tokens, ModeCosts& costs);

}  // namespace switchyard::calibration
