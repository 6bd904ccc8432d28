#pragma once

#include <algorithm>
#include <cstdint>

#include "scheduler/step_cost.h"

namespace switchyard::scheduler {

/// How much a step holds. The defaults come from the reference CPU (2 Zen 4 cores, 135M model,
/// BF16): about 0.9 ms per prompt token, 8 ms per forward pass, 2 ms per further decode token.
struct Options {
  /// Prompt + decode tokens in a step while any sequence of any lane decodes: this bounds the gap
  /// between tokens of the running streams. Leaves 16 decodes one tile of a prompt.
  std::int32_t max_step_tokens = 96;
  /// The same while nothing decodes, so that there is no pace to keep.
  std::int32_t max_prefill_tokens = 512;
  /// Smallest piece of a prompt worth a forward pass. Prefill gets at least this share of a step,
  /// also when decode tokens fill the budget.
  std::int32_t min_chunk_tokens = 32;
  /// While a lane decodes, a step of it costs at most this (StepCost's units) if that leaves a
  /// prompt its smallest piece. If it does not, prefill is put off, by at most `max_deferred_steps`
  /// in a row: the running streams move on while they are many and long, and end the sooner.
  double max_step_cost = 118;
  std::int32_t max_deferred_steps = 4;
  StepCost cost;
  /// Short requests may overtake: one is overtaken by those that arrive up to this many times its
  /// own processing time later. 0: first come, first served.
  double overtaking = 24;
  /// Longest gap of idle streams between two decoding ones that is bridged by padding tokens. A
  /// longer gap costs less as a second pass (8 ms against 2 ms for each padding token).
  std::int32_t max_padding = 4;
  /// Running sequences are moved together so that a step is few passes, one sequence a step
  /// (docs/adr/0003 says what a move costs).
  bool moves_streams = true;
  /// Fixed cost of a step in prompt tokens, charged when lanes share the device: without it a lane
  /// that decodes one token per step would get hundreds of steps for one prompt chunk of another.
  std::int32_t step_overhead_tokens = 8;
  /// Host memory for prefixes whose stream is needed by another sequence, all lanes together, in
  /// equal shares. 0: nothing is stored.
  std::uint64_t prefix_store_bytes = 0;
};

/// Upper bound of a plan's tokens, padding included: what the engine's batch must hold.
inline std::int32_t max_plan_tokens(const Options& options, std::int32_t n_streams) {
  // Beside prompt chunks a plan has at most one token per stream; without decodes it has none.
  return std::max({options.max_prefill_tokens, options.max_step_tokens + n_streams,
                   options.min_chunk_tokens + n_streams});
}

}  // namespace switchyard::scheduler
