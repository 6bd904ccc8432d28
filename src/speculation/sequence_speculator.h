#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/types.h"
#include "speculation/acceptance.h"
#include "speculation/draft_length.h"
#include "speculation/loss_budget.h"
#include "speculation/ngram_drafter.h"

namespace switchyard::speculation {

struct SpeculatorOptions {
  NgramOptions ngram;
  LossBudgetOptions loss;
  std::int32_t max_draft_tokens = DraftLengthOptions{}.max_draft_tokens;
  /// A sequence that has not speculated for so many tokens is tried as if its acceptance were
  /// probe_alpha; what that may cost is bounded by the loss budget.
  std::int32_t probe_interval_tokens = 64;
  double probe_alpha = 0.75;
};

/// Speculation of one stream: its drafter, its acceptance and its loss budget. Reused by the
/// stream's next sequence. Not thread safe.
///
/// Per step: propose() → choose_draft_length() over the lane's candidates → draft(length) is
/// verified → append() of the emitted tokens and one of record_verified(), record_plain().
class SequenceSpeculator {
 public:
  /// `acceptance` outlives it.
  explicit SequenceSpeculator(AcceptanceTracker& acceptance, const SpeculatorOptions& options = {});
  SequenceSpeculator(SequenceSpeculator&&) = default;
  SequenceSpeculator& operator=(SequenceSpeculator&&) = default;

  /// Begins a sequence without tokens.
  void start(std::size_t request_class, std::int32_t expected_tokens);
  /// Tokens of the prompt, or emitted ones.
  void append(std::span<const core::TokenId> tokens) { drafter_.append(tokens); }

  /// Drafts. `available` is 0 if there is nothing to verify.
  DraftCandidate propose(std::int32_t tokens_left);
  /// The first tokens of the last proposal. Valid until the next one.
  std::span<const core::TokenId> draft(std::int32_t length) const;

  /// The step took `cost_steps` times what it would have taken without speculation.
  void record_verified(std::int32_t drafted, std::int32_t accepted, std::int32_t emitted,
                       double cost_steps);
  void record_plain();

 private:
  AcceptanceTracker* acceptance_;
  SpeculatorOptions options_;
  NgramDrafter drafter_;
  AcceptanceByStrength observed_;
  LossBudget loss_;
  NgramDraft draft_;
  std::size_t request_class_ = 0;
  std::int32_t plain_tokens_ = 0;  ///< since the last verification
};

}  // namespace switchyard::speculation
