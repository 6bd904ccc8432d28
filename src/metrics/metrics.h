#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/lane.h"
#include "core/request.h"

namespace switchyard::metrics {

/// A finished request's numbers, observed once.
struct RequestOutcome {
  core::LaneId lane = 0;
  core::FinishReason finish = core::FinishReason::kNone;
  std::int64_t prompt_tokens = 0;
  std::int64_t generation_tokens = 0;
  std::int64_t looked_up_tokens = 0;  ///< prompt tokens looked up for reuse, of all choices
  std::int64_t cached_tokens = 0;     ///< those of them found in KV memory
  double queue_seconds = -1;          ///< arrival → admission to a stream; < 0 = never admitted
  double ttft_seconds = -1;           ///< arrival → first token; < 0 = no token
  double e2e_seconds = 0;             ///< arrival → end
};

/// One step of a lane.
struct StepOutcome {
  core::LaneId lane = 0;
  std::int64_t prompt_tokens = 0;
  std::int64_t decode_tokens = 0;  ///< evaluated behind the prompts
  double step_seconds = 0;         ///< from planning to the last delta handed over
  double evaluate_seconds = 0;     ///< inside the forward pass
  double sample_seconds = 0;       ///< choosing tokens
};

/// All metrics of the process, in vLLM's names where a quantity matches. Thread safe.
/// Every metric is declared once, in metrics.cpp.
class Metrics {
 public:
  Metrics();
  ~Metrics();

  /// Label values for the lanes; before this nothing per lane is exposed. Once, before any of the
  /// per-lane methods is called.
  void set_lanes(const std::string& model_alias, const std::vector<core::LaneInfo>& lanes);

  void set_load(core::LaneId lane, std::int64_t running, std::int64_t waiting, double kv_usage);
  void on_step(const StepOutcome& outcome);
  void on_inter_token(core::LaneId lane, double seconds);
  void on_finished(const RequestOutcome& outcome);
  /// Well-formed generation requests arrived together: one per prompt.
  void on_received(std::size_t requests);
  /// `reason` is an error-table label, never client text.
  void on_rejected(const std::string& reason, std::size_t requests);
  void on_http(int status);

  std::string render() const;  ///< Prometheus text exposition format 0.0.4

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace switchyard::metrics
