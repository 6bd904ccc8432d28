#include "speculation/acceptance.h"

#include <cmath>

namespace switchyard::speculation {
namespace {

std::size_t index(MatchStrength strength) { return static_cast<std::size_t>(strength); }

}  // namespace

MatchStrength strength_of(std::int32_t match_tokens) {
  if (match_tokens >= 8) return MatchStrength::kEight;
  if (match_tokens >= 4) return MatchStrength::kFour;
  return match_tokens == 3 ? MatchStrength::kThree : MatchStrength::kTwo;
}

void AcceptanceRate::add(std::int32_t drafted, std::int32_t accepted, double memory_tokens) {
  const double observed = accepted + (accepted < drafted ? 1 : 0);
  const double kept = std::pow(1 - 1 / memory_tokens, observed);
  // A run of one outcome: the sum of its fading weights, so that one long run counts no more than
  // the memory holds.
  accepted_ = accepted_ * kept;
  observed_ = observed_ * kept + (1 - kept) * memory_tokens;
  const double failure = accepted < drafted ? 1 : 0;
  accepted_ += (1 - kept) * memory_tokens - failure;
}

double AcceptanceRate::value(double prior, double prior_tokens) const {
  return (accepted_ + prior * prior_tokens) / (observed_ + prior_tokens);
}

AcceptanceTracker::AcceptanceTracker(std::size_t n_classes, const AcceptanceOptions& options)
    : options_(options), classes_(n_classes) {}

void AcceptanceTracker::add(std::size_t request_class, AcceptanceByStrength& sequence,
                            MatchStrength strength, std::int32_t drafted, std::int32_t accepted) {
  classes_[request_class][index(strength)].add(drafted, accepted, options_.class_memory_tokens);
  sequence[index(strength)].add(drafted, accepted, options_.sequence_memory_tokens);
}

double AcceptanceTracker::alpha(std::size_t request_class, const AcceptanceByStrength& sequence,
                                MatchStrength strength) const {
  return sequence[index(strength)].value(class_alpha(request_class, strength),
                                         options_.sequence_prior_tokens);
}

double AcceptanceTracker::class_alpha(std::size_t request_class, MatchStrength strength) const {
  return classes_[request_class][index(strength)].value(options_.prior[index(strength)],
                                                        options_.class_prior_tokens);
}

}  // namespace switchyard::speculation
