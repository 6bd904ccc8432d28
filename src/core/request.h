#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/types.h"

namespace switchyard::core {

struct LogitBias {
  TokenId token = 0;
  float bias = 0.0F;  ///< added to the token's logit before sampling
};

/// How the next token is chosen. All ranges are settled before a value of this type exists.
struct SamplingParams {
  float temperature = 1.0F;  ///< 0 = greedy
  std::int32_t top_k = 0;    ///< 0 = off
  float top_p = 1.0F;
  float min_p = 0.0F;
  float repetition_penalty = 1.0F;
  float frequency_penalty = 0.0F;
  float presence_penalty = 0.0F;
  std::uint32_t seed = 0;
  std::vector<LogitBias> logit_bias;
  /// −1: no log-probabilities; k ≥ 0: the sampled token's and the k most likely tokens'.
  std::int32_t top_logprobs = -1;
  bool ignore_eos = false;      ///< end-of-generation tokens are never sampled
  std::int32_t min_tokens = 0;  ///< end-of-generation tokens are not sampled before this many
};

/// One sequence to generate, as scheduler and engine see it. A client request with n > 1 is n of
/// these. Immutable once submitted.
struct Request {
  RequestId id = 0;
  LaneId lane = 0;
  std::vector<TokenId> prompt;  ///< at least one token
  std::int32_t max_tokens = 0;  ///< ≥ 1; prompt.size() + max_tokens ≤ the lane's stream capacity
  SamplingParams sampling;
  std::string cache_salt;  ///< only requests of equal salt share cached prefixes
  TimePoint arrival;
};

enum class FinishReason {
  kNone,       ///< still running
  kStop,       ///< end-of-generation token or a stop string
  kLength,     ///< max_tokens
  kCancelled,  ///< the client left, or the server is stopping
  kError,      ///< the engine failed
};

}  // namespace switchyard::core
