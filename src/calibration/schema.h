#pragma once

#include <string_view>

namespace switchyard::calibration {

/// The version is raised when a field changes its meaning or a needed one is added.
inline constexpr std::string_view kSchema = "switchyard.calibration.v1";
inline constexpr std::string_view kSchemaFamily = "switchyard.calibration.";

}  // namespace switchyard::calibration
