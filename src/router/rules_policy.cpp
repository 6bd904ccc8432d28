#include "router/rules_policy.h"

#include <span>

namespace switchyard::router {
namespace {

bool is_allowed(const Candidate& candidate) { return candidate.ruled_out == RuledOut::kNo; }

bool cheaper(const Candidate& candidate, const Candidate* than) {
  return than == nullptr || candidate.cost.total_ms() < than->cost.total_ms();
}

/// The cheapest of all, and of those on reference weights; null where none is allowed.
struct Cheapest {
  const Candidate* any = nullptr;
  const Candidate* reference = nullptr;
  bool has_other_weights = false;
};

Cheapest find_cheapest(std::span<const Candidate> candidates) {
  Cheapest found;
  for (const Candidate& candidate : candidates) {
    if (!is_allowed(candidate)) continue;
    if (cheaper(candidate, found.any)) found.any = &candidate;
    if (candidate.verdict != Verdict::kReference) {
      found.has_other_weights = true;
    } else if (cheaper(candidate, found.reference)) {
      found.reference = &candidate;
    }
  }
  return found;
}

bool is_slower_alone(const Candidate& chosen, std::span<const Candidate> candidates) {
  for (const Candidate& candidate : candidates) {
    if (is_allowed(candidate) && candidate.cost.own_ms() < chosen.cost.own_ms()) return true;
  }
  return false;
}

Reason reason_for(const Candidate& chosen, const Cheapest& found,
                  std::span<const Candidate> candidates) {
  if (&chosen != found.any) return Reason::kReferenceWithinMargin;
  if (is_slower_alone(chosen, candidates)) return Reason::kConsolidates;
  if (chosen.mode.speculation != Speculation::kNone) return Reason::kSpeculation;
  if (chosen.mode.prefix) return Reason::kPrefixReuse;
  return found.has_other_weights ? Reason::kCheapest : Reason::kOnlyReference;
}

}  // namespace

Decision choose_cheapest(const Assessment& assessment, double reference_margin) {
  const auto candidates = assessment.candidates();
  const Cheapest found = find_cheapest(candidates);
  if (found.any == nullptr) return {Mode{}, Reason::kNothingFits};
  const bool near = found.reference != nullptr &&
                    found.reference->cost.total_ms() <=
                        found.any->cost.total_ms() * (1 + static_cast<float>(reference_margin));
  const Candidate& chosen = near ? *found.reference : *found.any;
  return {chosen.mode, reason_for(chosen, found, candidates), chosen.cost.total_ms()};
}

Decision RulesPolicy::decide(const Features& features, const LoadSnapshot& load) {
  Assessment assessment;
  table_->assess_allowed(features, load, assessment);
  return choose_cheapest(assessment, table_->setup().reference_margin);
}

}  // namespace switchyard::router
