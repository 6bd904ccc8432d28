#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "config/settings.h"
#include "router/router_setup.h"

namespace switchyard::commands {

/// The routing setup of `route` and `bench router`, and where it comes from.
struct LoadedSetup {
  router::RouterSetup setup;
  std::string source;  ///< of the costs: the file or profile
  std::string label;   ///< of the calibration
  bool quality_given = false;
};

/// From --calibration or --profile, --quality, --modes and --max-num-seqs. Errors: kUsage with the
/// choices if neither or both of the first are given, or a mode has no costs; kIo.
Result<LoadedSetup> read_route_setup(const config::Settings& settings);

/// A file of at most 4 MiB. Error: kIo, naming the path.
Result<std::string> read_small_file(const std::string& path);

}  // namespace switchyard::commands
