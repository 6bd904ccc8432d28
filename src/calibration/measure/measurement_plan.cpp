#include "calibration/measure/measurement_plan.h"

#include <algorithm>
#include <array>

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
  for (const std::int32_t tokens : {chunk / 8, chunk / 4, chunk / 2, chunk}) {
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
  plan.longest_context = std::min(kLongestContext, limits.capacity_tokens - plan.chunk_tokens);
  plan.shared_context = plan.longest_context / 3;

  Phase longest{.context = plan.longest_context, .points = {}};
  add_prefills(plan.chunk_tokens, longest);
  Phase shared{.context = plan.shared_context, .points = {}};
  add_prefills(plan.chunk_tokens, shared);
  add_decodes(limits.streams, shared);
  add_verifications(limits.capacity_tokens, shared);
  Phase shortest{.context = std::min(kShortestContext, plan.shared_context / 2), .points = {}};
  add_decodes(limits.streams, shortest);
  Phase empty{.context = 0, .points = {}};
  add_prefills(plan.chunk_tokens, empty);
  plan.phases = {std::move(longest), std::move(shared), std::move(shortest), std::move(empty)};
  return plan;
}

}  // namespace switchyard::calibration
