#pragma once

#include "base/result.h"
#include "calibration/calibration.h"

namespace switchyard::calibration {

/// `here` with this machine's CPU, cores and memory filled in. Reads /proc; what it does not say
/// stays empty.
Identity on_this_machine(Identity here);

/// Success if costs measured as `measured` hold for `here`. Error: kUsage, one line naming the
/// first of weights, build and machine that differs, with both values.
Result<void> check_identity(const Identity& measured, const Identity& here);

}  // namespace switchyard::calibration
