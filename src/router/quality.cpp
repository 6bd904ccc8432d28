#include "router/quality.h"

namespace switchyard::router {
namespace {

bool has_tasks(RequestClass request_class) {
  return request_class == RequestClass::kMultipleChoice ||
         request_class == RequestClass::kArithmetic;
}

bool is_hard(RequestClass request_class) {
  return has_tasks(request_class) || request_class == RequestClass::kStructured ||
         request_class == RequestClass::kTools;
}

}  // namespace

std::string_view verdict_text(Verdict verdict) {
  constexpr std::array<std::string_view, kVerdicts> kTexts = {
      "the reference itself",
      "passes",
      "exact answers demanded",
      "its quality for this class is not measured",
      "its top-1 agreement with the reference is below the floor",
      "its KL divergence from the reference is above the bound",
      "its accuracy for this class is not measured",
      "its accuracy may be more than a point below the reference's",
  };
  return kTexts[static_cast<std::size_t>(verdict)];
}

Verdict judge(const LaneQuality& quality, RequestClass request_class, Demand demand,
              bool logprobs) {
  if (quality.is_reference) return Verdict::kReference;
  if (demand == Demand::kExact) return Verdict::kExactDemanded;
  const auto& known = quality.by_class[static_cast<std::size_t>(request_class)];
  if (!known) return Verdict::kQualityUnknown;
  const bool strict = demand == Demand::kBalanced || logprobs || is_hard(request_class);
  const QualityFloors& floors = strict ? kBalancedFloors : kFastFloors;
  // Negated so that a NaN does not pass.
  if (!(known->top1_agreement >= floors.top1_agreement)) return Verdict::kAgreementLow;
  if (!(known->mean_kl <= floors.mean_kl)) return Verdict::kDivergenceHigh;
  if (has_tasks(request_class) && !known->accuracy_low_points) return Verdict::kAccuracyUnknown;
  if (known->accuracy_low_points && !(*known->accuracy_low_points > -kAccuracyLossPoints)) {
    return Verdict::kAccuracyLow;
  }
  return Verdict::kPasses;
}

}  // namespace switchyard::router
