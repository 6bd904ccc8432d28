#pragma once

#include <cstdint>
#include <span>

namespace switchyard::speculation {

/// A sequence that could verify a draft in the next step.
struct DraftCandidate {
  double alpha = 0;              ///< acceptance expected of its draft's tokens
  std::int32_t available = 0;    ///< tokens drafted
  std::int32_t tokens_left = 0;  ///< until max_tokens, ≥ 1
  double loss_budget_steps = 0;  ///< see LossBudget
};

/// What the next step costs, in any one unit of time.
struct StepCosts {
  double plain = 1;  ///< without speculation: every decoding sequence one token, and all prefill
  double rest = 0;   ///< only the passes of what does not speculate; 0 if there is nothing else
  /// [n − 1]: the pass that evaluates n tokens of each speculating sequence, and what the n − 1
  /// draft tokens of each cost to make. With one sequence alone, the r(n) of the calibration.
  std::span<const double> verify;
};

struct DraftLengthOptions {
  std::int32_t max_draft_tokens = 15;  ///< 16 tokens in a verification
  double margin = 0.05;                ///< gain below this is within the error of the estimates
  /// How much slower the step may become for a sequence that gains nothing by it: the token gap of
  /// neighbours may grow by 10 %.
  double max_slowdown = 0.10;
};

struct DraftLength {
  std::int32_t tokens = 0;  ///< for each candidate, padded where it has fewer; 0: do not speculate
  double gain = 1;          ///< expected tokens per time, over those without speculation
};

/// Tokens that one verification of `n_draft` tokens is expected to emit:
/// (1 − α^(γ+1)) / (1 − α) (Leviathan et al. 2023, eq. 1).
double expected_tokens(double alpha, std::int32_t n_draft);

/// The draft length for all candidates together (one pass needs equal counts) with the most
/// expected tokens per time, counting the tokens of `n_others` sequences that decode beside them.
/// A length is ruled out if some sequence's expected pace would fall by more than max_slowdown, or
/// if the loss of a step that accepts nothing is above some candidate's budget.
DraftLength choose_draft_length(std::span<const DraftCandidate> candidates, std::int32_t n_others,
                                const StepCosts& costs, const DraftLengthOptions& options = {});

}  // namespace switchyard::speculation
