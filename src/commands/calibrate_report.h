#pragma once

#include <string>

#include "calibration/calibration.h"

namespace switchyard::commands {

/// The costs of every mode as a table for people.
std::string calibration_table(const calibration::Calibration& calibration);

}  // namespace switchyard::commands
