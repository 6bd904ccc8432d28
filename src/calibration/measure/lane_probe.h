#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "calibration/measure/measurement_plan.h"
#include "core/batch.h"
#include "engine/engine.h"

namespace switchyard::calibration {

/// Fills the streams of one lane with made-up tokens and times steps on them. Nothing else may step
/// the engine meanwhile. Not thread safe. Errors: kEngineFailure, with the engine's reason.
class LaneProbe {
 public:
  LaneProbe(engine::Engine& engine, core::LaneId lane);

  const core::LaneInfo& info() const;

  /// Makes every stream hold `tokens` tokens: prefills the first in steps of at most `chunk_tokens`
  /// and copies it to the others.
  Result<void> fill(std::int32_t tokens, std::int32_t chunk_tokens);

  /// Milliseconds of one step of the point, choosing a token per sequence included; for kRestore
  /// what the copy adds to a step, which noise may make negative. Precondition: its streams hold at
  /// least `context` tokens; afterwards they hold context + tokens.
  Result<double> time(const Point& point);

 private:
  core::TokenId token_at(std::int32_t position) const;
  std::shared_ptr<const core::Request> make_request(std::int32_t tokens);
  core::StreamTokens entry(core::StreamId stream, const core::Request& request,
                           std::int32_t position, std::int32_t count) const;
  Result<double> time_restore(std::int32_t context);
  Result<double> step_ms(const core::BatchPlan& plan);

  engine::Engine& engine_;
  core::LaneId lane_;
  core::RequestId last_request_ = 0;
};

}  // namespace switchyard::calibration
