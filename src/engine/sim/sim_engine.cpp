#include "engine/sim/sim_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/sim/pacer.h"
#include "engine/sim/sim_lane.h"
#include "engine/sim/sim_tokenizer.h"
#include "engine/sim/step_cost.h"

namespace switchyard::engine {
namespace {

/// As of a 135M model with half-precision KV; simulated prefixes take no such memory.
constexpr std::uint64_t kStoredBytesPerToken = 23'040;

class SimEngine final : public Engine {
 public:
  explicit SimEngine(const SimOptions& options);

  const Tokenizer& tokenizer() const override { return tokenizer_; }
  std::span<const core::LaneInfo> lanes() const override { return infos_; }
  core::StepResult step(const core::BatchPlan& plan) override;
  void abort() noexcept override { pacer_.abort(); }

 private:
  SimTokenizer tokenizer_;
  std::vector<core::LaneInfo> infos_;
  std::vector<StepCost> costs_;
  std::vector<SimLane> lanes_;
  double speed_;
  Pacer pacer_;
};

SimEngine::SimEngine(const SimOptions& options) : speed_(options.speed) {
  for (const std::string& mode : options.modes) {
    core::LaneInfo info;
    info.mode = mode == "auto" ? "f16" : mode;
    info.n_streams = options.streams;
    info.stream_capacity_tokens = options.stream_capacity_tokens;
    const std::int64_t all = std::int64_t{options.streams} * options.stream_capacity_tokens;
    info.pool_capacity_tokens =
        options.pool_capacity_tokens > 0 ? std::min(options.pool_capacity_tokens, all) : all;
    const auto named = options.mode_costs.find(info.mode);
    info.stored_bytes_per_token = kStoredBytesPerToken;
    costs_.push_back(named == options.mode_costs.end() ? options.cost : named->second);
    lanes_.emplace_back(info);
    infos_.push_back(std::move(info));
  }
}

core::StepResult SimEngine::step(const core::BatchPlan& plan) {
  const core::TimePoint began = core::Clock::now();
  core::StepResult result;
  result.lane = plan.lane;
  if (pacer_.aborted()) {
    result.status = core::StepStatus::kAborted;
    return result;
  }
  if (plan.lane < 0 || plan.lane >= static_cast<core::LaneId>(lanes_.size())) {
    result.status = core::StepStatus::kFailed;
    result.error = fmt::format("plan for unknown lane {}", plan.lane);
    return result;
  }
  const auto lane = static_cast<std::size_t>(plan.lane);
  if (auto fault = lanes_[lane].apply(plan)) {
    result.status = core::StepStatus::kFailed;
    result.error = "plan refused: " + std::move(*fault);
    return result;
  }
  if (!pacer_.pace(began, step_seconds(costs_[lane], plan) / speed_)) {
    result.status = core::StepStatus::kAborted;
    return result;
  }
  const core::TimePoint evaluated = core::Clock::now();
  result.evaluate_seconds = core::to_seconds(evaluated - began);
  result.sampled = lanes_[lane].sample(plan);
  result.sample_seconds = core::to_seconds(core::Clock::now() - evaluated);
  return result;
}

Result<void> check(const SimOptions& options) {
  const auto refuse = [](std::string message) {
    return Error{ErrorCode::kUsage, "sim engine: " + std::move(message), "modes"};
  };
  if (options.modes.empty()) return refuse("no modes");
  std::vector<std::string> names;
  for (const std::string& mode : options.modes) {
    names.push_back(mode == "auto" ? "f16" : mode);
    if (names.back().empty()) return refuse("an empty mode name");
    if (std::count(names.begin(), names.end(), names.back()) > 1) {
      return refuse("a mode is listed twice");
    }
  }
  if (options.streams < 1 || options.stream_capacity_tokens < 2) {
    return refuse("needs at least 1 stream of 2 tokens");
  }
  if (!(options.speed > 0) || !std::isfinite(options.speed)) return refuse("speed must be > 0");
  return {};
}

}  // namespace

Result<std::unique_ptr<Engine>> make_sim_engine(const SimOptions& options) {
  if (auto checked = check(options); !checked) return checked.error();
  return std::unique_ptr<Engine>(std::make_unique<SimEngine>(options));
}

}  // namespace switchyard::engine
