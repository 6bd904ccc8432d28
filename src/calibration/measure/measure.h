#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/result.h"
#include "calibration/calibration.h"
#include "calibration/measurement.h"
#include "engine/engine.h"

namespace switchyard::calibration {

/// A loaded mode. Targets may share an engine.
struct Target {
  engine::Engine* engine = nullptr;  ///< not owned
  core::LaneId lane = 0;
  double load_seconds = 0;
};

struct MeasureOptions {
  std::int32_t chunk_tokens = 512;  ///< most prompt tokens of one step
  std::int32_t rounds = 5;          ///< visits to each point
  std::function<void(double)> progress = [](double /*fraction*/) {};
  std::function<bool()> stopped = [] { return false; };  ///< asked between steps
};

struct Measured {
  std::vector<ModeCosts> costs;  ///< in the order of the targets
  std::vector<MeasuredMode> points;
};

/// Times every point of the measurement plan on every target. In each round all targets have their
/// turn, beginning with another one each time, so that drift and load of the machine hit them
/// alike. Blocks; steps the engines on the calling thread. Errors: kEngineFailure; kUsage for
/// a lane whose context is too short; kIo if stopped.
Result<Measured> measure(std::span<const Target> targets, const MeasureOptions& options);

}  // namespace switchyard::calibration
