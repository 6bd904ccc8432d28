#include "speculation/sequence_speculator.h"

#include <algorithm>

namespace switchyard::speculation {

SequenceSpeculator::SequenceSpeculator(AcceptanceTracker& acceptance,
                                       const SpeculatorOptions& options)
    : acceptance_(&acceptance),
      options_(options),
      drafter_(options.ngram),
      observed_(),
      loss_(options.loss) {}

void SequenceSpeculator::start(std::size_t request_class, std::int32_t expected_tokens) {
  drafter_.reset(expected_tokens);
  observed_ = {};
  loss_ = LossBudget(options_.loss);
  draft_ = {};
  request_class_ = request_class;
  plain_tokens_ = 0;
}

DraftCandidate SequenceSpeculator::propose(std::int32_t tokens_left) {
  draft_ = drafter_.propose(std::min(options_.max_draft_tokens, tokens_left - 1));
  DraftCandidate candidate;
  candidate.tokens_left = tokens_left;
  candidate.available = static_cast<std::int32_t>(draft_.tokens.size());
  candidate.loss_budget_steps = loss_.steps();
  candidate.alpha = acceptance_->alpha(request_class_, observed_, strength_of(draft_.match_tokens));
  if (plain_tokens_ >= options_.probe_interval_tokens) {
    candidate.alpha = std::max(candidate.alpha, options_.probe_alpha);
  }
  return candidate;
}

std::span<const core::TokenId> SequenceSpeculator::draft(std::int32_t length) const {
  return draft_.tokens.first(
      std::min(static_cast<std::size_t>(std::max(length, 0)), draft_.tokens.size()));
}

void SequenceSpeculator::record_verified(std::int32_t drafted, std::int32_t accepted,
                                         std::int32_t emitted, double cost_steps) {
  acceptance_->add(request_class_, observed_, strength_of(draft_.match_tokens), drafted, accepted);
  loss_.add(emitted, cost_steps);
  plain_tokens_ = 0;
}

void SequenceSpeculator::record_plain() {
  loss_.add(1, 1);
  ++plain_tokens_;
}

}  // namespace switchyard::speculation
