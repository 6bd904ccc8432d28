#pragma once

#include "core/batch.h"
#include "engine/sim/sim_options.h"

namespace switchyard::engine {

/// Modelled time of one plan, in seconds (the formula is StepCost's). Entries of one token count as
/// decoding, longer ones as prefill.
double step_seconds(const StepCost& cost, const core::BatchPlan& plan);

}  // namespace switchyard::engine
