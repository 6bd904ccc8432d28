#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/request.h"
#include "core/types.h"

namespace switchyard::core {

/// Where the tokens that a starting sequence keeps are in memory.
struct OwnStream {};  ///< in its stream already
struct OtherStream {  ///< at the start of this stream, which may be in use
  StreamId stream = 0;
};
struct StoredPrefix {  ///< at the start of this prefix in host memory
  PrefixId prefix = 0;
};
using PrefixSource = std::variant<OwnStream, OtherStream, StoredPrefix>;

/// Before the step's tokens are evaluated, `stream` is made to hold the first `keep_tokens` tokens
/// of `source` and nothing else, and given to `request` (whose prompt starts with exactly those
/// tokens). The engine resets the stream's sampler from `request->sampling`.
struct SequenceStart {
  StreamId stream = 0;
  std::int32_t keep_tokens = 0;
  std::shared_ptr<const Request> request;
  PrefixSource source = OwnStream{};
};

/// All that `stream` holds, `n_tokens`, is copied to host memory under a new id.
struct PrefixSave {
  PrefixId prefix = 0;
  StreamId stream = 0;
  std::int32_t n_tokens = 0;
};

/// A running sequence goes on in another stream, with all its tokens and its sampler; `from` keeps
/// its tokens and is free.
struct StreamMove {
  StreamId from = 0;
  StreamId to = 0;
  std::int32_t n_tokens = 0;  ///< that it holds
};

/// Tokens of one stream evaluated in this step.
struct StreamTokens {
  StreamId stream = 0;
  RequestId request = 0;        ///< 0 for padding
  std::int32_t position = 0;    ///< position of tokens[0] in the stream
  std::vector<TokenId> tokens;  ///< ≥ 1; a chunk of the prompt, or the last sampled token
  bool sample = false;          ///< sample one token after the last of `tokens`
  /// A dummy token in an idle stream that joins two runs of active streams into one pass; the
  /// engine evaluates it without output and removes it from the stream again. `tokens` has one
  /// token, `position` is the idle stream's length.
  bool padding = false;
};

/// One step of one lane: what the scheduler decided, in the order the engine evaluates it.
/// `streams` is sorted by stream id, each stream at most once (llama.cpp evaluates a run of
/// consecutive stream ids with equal token counts in one pass).
struct BatchPlan {
  LaneId lane = 0;
  std::vector<PrefixId> evictions;  ///< stored prefixes to free, first of all; unknown ids are none
  std::vector<PrefixSave> saves;    ///< before any stream is changed
  /// Idle streams whose tokens are no longer wanted, given up before `starts`: where streams share
  /// one pool their memory must be free for others, else there is nothing to do.
  std::vector<StreamId> drops;
  std::vector<StreamMove> moves;
  std::vector<SequenceStart> starts;  ///< in this order: a source is what earlier ones left
  std::vector<StreamTokens> streams;
};

struct TokenLogprob {
  TokenId token = 0;
  float logprob = 0.0F;  ///< natural logarithm, of the model's distribution before penalties
};

struct SampledToken {
  RequestId request = 0;
  TokenId token = 0;
  bool end_of_generation = false;
  float logprob = 0.0F;                    ///< only if SamplingParams::top_logprobs ≥ 0
  std::vector<TokenLogprob> top_logprobs;  ///< most likely first, at most top_logprobs
};

enum class StepStatus {
  kOk,
  kAborted,  ///< Engine::abort() was called; the result holds no tokens; samplers may have
             ///< advanced, so only for stopping
  kFailed,   ///< the engine could not evaluate; every request of the plan has failed
};

/// What a step produced: one SampledToken for each StreamTokens with `sample`, in plan order.
struct StepResult {
  LaneId lane = 0;
  StepStatus status = StepStatus::kOk;
  std::string error;  ///< for kFailed: one line
  std::vector<SampledToken> sampled;
  std::vector<PrefixId> lost_saves;  ///< for kOk: saves that found no memory; nothing is stored
  double evaluate_seconds = 0.0;     ///< inside the forward pass
  double sample_seconds = 0.0;       ///< choosing tokens, log-probabilities included
};

}  // namespace switchyard::core
