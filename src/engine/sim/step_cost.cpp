#include "engine/sim/step_cost.h"

#include <variant>

#include "engine/passes.h"

namespace switchyard::engine {

double step_seconds(const StepCost& cost, const core::BatchPlan& plan) {
  double us = cost.step_us + cost.pass_us * static_cast<double>(split_passes(plan).size());
  for (const core::StreamTokens& entry : plan.streams) {
    const auto tokens = static_cast<double>(entry.tokens.size());
    if (entry.tokens.size() == 1) {
      us += cost.decode_us + entry.position / 1000.0 * cost.decode_context_us;
    } else {
      const double mean_context = entry.position + (tokens - 1) / 2;
      us += tokens * (cost.prefill_token_us + mean_context / 1000.0 * cost.prefill_context_us);
    }
  }
  for (const core::PrefixSave& save : plan.saves) us += save.n_tokens * cost.copied_token_us;
  for (const core::StreamMove& move : plan.moves) us += move.n_tokens * cost.copied_token_us;
  for (const core::SequenceStart& start : plan.starts) {
    const bool copied = !std::holds_alternative<core::OwnStream>(start.source);
    if (copied) us += start.keep_tokens * cost.copied_token_us;
  }
  return us * 1e-6;
}

}  // namespace switchyard::engine
