#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "calibration/measure/measure.h"
#include "config/settings.h"
#include "engine/engine.h"

namespace switchyard::commands {

/// The modes to measure, loaded. The llama engine is loaded once per mode, so that each load can be
/// timed; the engines step one at a time and idle ones use no CPU.
struct CalibrateEngines {
  std::vector<std::unique_ptr<engine::Engine>> engines;
  std::vector<calibration::Target> targets;  ///< the reference first
};

/// From the options "engine", "model", "modes", "max-num-seqs", "max-model-len", "threads" and
/// "cache-dir". Weights that are not in the cache are derived first, outside of the load times.
/// Errors: as of the engines.
Result<CalibrateEngines> load_calibrate_engines(const config::Settings& settings,
                                                std::int32_t chunk_tokens);

}  // namespace switchyard::commands
