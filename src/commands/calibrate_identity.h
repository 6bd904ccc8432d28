#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "calibration/calibration.h"

namespace switchyard::commands {

/// What a calibration of this engine is valid for: `engine` and `model` are the options of these
/// names, `threads` as configured. Reads the model file once for its hash. Error: kIo.
Result<calibration::Identity> current_identity(const std::string& engine, const std::string& model,
                                               std::int32_t threads);

}  // namespace switchyard::commands
