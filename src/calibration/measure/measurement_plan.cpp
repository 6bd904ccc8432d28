#include "calibration/measure/measurement_plan.h"

#include <algorithm>
#include <array>
#include <utility>

namespace switchyard::calibration {
namespace {

constexpr std::int32_t kLongestContext = 1536;
constexpr std::int32_t kShortestContext = 64;
constexpr std::array<std::int32_t, 6> kVerifyTokens = {2, 3, 4, 5, 8, 16};

/// 1, 2, 4, … and the most the lane can run.
std::vector<std::int32_t> batches_up_to(std::int32_t most) {
  std::vector<std::int32_t> batches;
  for (std::int32_t batch = 1; batch < most; batch *= 2) batches.push_back(batch);
  batches.push_back(most);
  return batches;
}

void add_prefills(std::int32_t chunk, Phase& phase) {
  for (const std::int32_t tokens : {chunk / 8, chunk / 2, chunk}) {
    if (tokens > 1) phase.points.push_back({What::kPrefill, 1, tokens, phase.context});
  }
}

void add_decodes(std::int32_t streams, Phase& phase) {
  for (const std::int32_t batch : batches_up_to(streams)) {
    phase.points.push_back({What::kDecode, batch, 1, phase.context});
  }
}

void add_verifications(std::int32_t capacity, Phase& phase) {
  for (const std::int32_t tokens : kVerifyTokens) {
    if (phase.context + tokens > capacity) break;
    phase.points.push_back({What::kVerify, 1, tokens, phase.context});
  }
}

}  // namespace

MeasurementPlan plan_measurements(const PlanLimits& limits) {
  MeasurementPlan plan;
  plan.chunk_tokens = std::max(1, std::min(limits.chunk_tokens, limits.capacity_tokens / 2));
  const std::int32_t longest =
      std::min(kLongestContext, limits.capacity_tokens - plan.chunk_tokens);
  const std::int32_t middle = longest / 3;
  const std::int32_t shortest = std::min(kShortestContext, middle / 2);
  for (const std::int32_t context : {longest, middle, shortest, 0}) {
    Phase phase{.context = context, .points = {}};
    if (context != shortest) add_prefills(plan.chunk_tokens, phase);
    if (context > 0) add_decodes(limits.streams, phase);
    if (context == middle) add_verifications(limits.capacity_tokens, phase);
    if (context > 0 && limits.streams > 1) phase.points.push_back({What::kRestore, 1, 0, context});
    plan.phases.push_back(std::move(phase));
  }
  return plan;
}

}  // namespace switchyard::calibration
