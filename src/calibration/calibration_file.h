#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "calibration/calibration.h"
#include "calibration/measurement.h"

namespace switchyard::calibration {

/// The file's text. Schema: docs/calibrate.md. Modes without measurements get an empty list.
std::string render_calibration(const Calibration& calibration,
                               std::span<const MeasuredMode> measured);

/// Checks everything the cost functions rely on: ascending axes, table sizes, finite numbers ≥ 0.
/// Unknown fields are ignored, an unknown schema version is refused. Errors: kIo, one line that
/// starts with `name`.
Result<Calibration> parse_calibration(std::string_view text, const std::string& name);

/// parse_calibration() of a file of at most 4 MiB. Errors: kIo, naming the path.
Result<Calibration> read_calibration(const std::string& path);

}  // namespace switchyard::calibration
