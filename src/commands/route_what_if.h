#pragma once

#include <string>
#include <vector>

#include "commands/route_report.h"

namespace switchyard::commands {

/// Nearby situations in which `rules` would choose other weights or speculation, one sentence each:
/// another demand, more or less output, more or less load. Empty for other policies.
std::vector<std::string> what_would_change(const RouteReport& report);

}  // namespace switchyard::commands
