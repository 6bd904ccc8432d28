#include "speculation/draft_length.h"

#include <algorithm>
#include <cmath>

namespace switchyard::speculation {
namespace {

/// Draft tokens that can be emitted: a verification also emits one token of its own.
std::int32_t usable(const DraftCandidate& candidate) {
  return std::max(0, std::min(candidate.available, candidate.tokens_left - 1));
}

}  // namespace

double expected_tokens(double alpha, std::int32_t n_draft) {
  const double a = std::clamp(alpha, 0.0, 1.0);
  if (1 - a < 1e-9) return n_draft + 1;
  return (1 - std::pow(a, n_draft + 1)) / (1 - a);
}

DraftLength choose_draft_length(std::span<const DraftCandidate> candidates, std::int32_t n_others,
                                const StepCosts& costs, const DraftLengthOptions& options) {
  std::int32_t longest = 0;
  for (const DraftCandidate& candidate : candidates) longest = std::max(longest, usable(candidate));
  longest = std::min(
      {longest, options.max_draft_tokens, static_cast<std::int32_t>(costs.verify.size()) - 1});

  DraftLength best;
  const double n_running = n_others + static_cast<double>(candidates.size());
  for (std::int32_t length = 1; length <= longest; ++length) {
    const double slowdown =
        (costs.rest + costs.verify[static_cast<std::size_t>(length)]) / costs.plain;
    const double least_tokens = slowdown / (1 + options.max_slowdown);
    bool allowed = n_others == 0 || least_tokens <= 1;
    double emitted = n_others;
    for (const DraftCandidate& candidate : candidates) {
      const double expected = expected_tokens(candidate.alpha, std::min(length, usable(candidate)));
      allowed = allowed && expected >= least_tokens && slowdown - 1 <= candidate.loss_budget_steps;
      emitted += expected;
    }
    const double gain = emitted / n_running / slowdown;
    if (allowed && gain > 1 + options.margin && gain > best.gain) best = {length, gain};
  }
  return best;
}

}  // namespace switchyard::speculation
