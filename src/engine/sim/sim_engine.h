#pragma once

#include <memory>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/sim/sim_options.h"

namespace switchyard::engine {

/// An engine without weights, driven by a cost model in real time.
///
/// Tokens are bytes (see SimTokenizer). The text is a function of (prompt, seed if temperature > 0,
/// index of the token) and of nothing else, so it cannot depend on batching: printable words with
/// an end after 20–400 tokens that the prompt decides, or, if the prompt contains "unicode", text
/// whose characters span tokens. Of SamplingParams it honours temperature (zero or not), seed,
/// ignore_eos, min_tokens and top_logprobs.
///
/// It checks every plan against the streams it keeps (positions contiguous, kept prefixes equal to
/// the prompt, decode tokens equal to the sampled ones, capacities) and answers kFailed with the
/// reason, so a scheduler's mistake shows in whatever test runs on it.
///
/// Errors: kUsage for an empty or repeated mode, counts < 1, or a speed that is not > 0.
Result<std::unique_ptr<Engine>> make_sim_engine(const SimOptions& options);

}  // namespace switchyard::engine
