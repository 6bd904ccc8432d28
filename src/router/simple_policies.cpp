#include "router/simple_policies.h"

namespace switchyard::router {

/// SplitMix64 (Steele et al. 2014).
std::uint64_t RandomPolicy::draw() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

Decision RandomPolicy::decide(const Features& features, const LoadSnapshot& load) {
  Assessment assessment;
  table_->assess_allowed(features, load, assessment);
  const auto allowed = assessment.candidates();
  if (allowed.empty()) return {Mode{}, Reason::kNothingFits};
  const Candidate& drawn = allowed[draw() % allowed.size()];
  return {drawn.mode, Reason::kRandom, drawn.cost.total_ms()};
}

std::optional<Decision> choose_least_realised(std::span<const RealisedCost> costs) {
  const RealisedCost* best = nullptr;
  for (const RealisedCost& cost : costs) {
    if (cost.eligible && (best == nullptr || cost.ms < best->ms)) best = &cost;
  }
  if (best == nullptr) return std::nullopt;
  return Decision{best->mode, Reason::kLeastRealised, static_cast<float>(best->ms)};
}

}  // namespace switchyard::router
