#include "api/valid_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "api/limits.h"
#include "api/structured_fields.h"
#include "api/unsupported_fields.h"

namespace switchyard::api {
namespace {

constexpr std::int32_t kAllThatFits = std::numeric_limits<std::int32_t>::max();
// Smaller temperatures overflow logits / temperature; the distribution is a point long before.
constexpr double kGreedyBelow = 1e-4;

std::uint32_t fold_seed(std::int64_t seed) {
  const auto bits = static_cast<std::uint64_t>(seed);
  return static_cast<std::uint32_t>(bits ^ (bits >> 32U));
}

std::int32_t max_tokens_of(const WireFields& fields, Endpoint endpoint) {
  const std::int64_t fallback =
      endpoint == Endpoint::kChat ? kAllThatFits : kDefaultCompletionTokens;
  const auto& wanted =
      fields.max_completion_tokens ? fields.max_completion_tokens : fields.max_tokens;
  return static_cast<std::int32_t>(wanted.value_or(fallback));
}

// −1 or the number of alternatives.
Result<std::int32_t> top_logprobs_of(const WireFields& fields, Endpoint endpoint) {
  if (endpoint == Endpoint::kCompletion) {
    return static_cast<std::int32_t>(fields.logprobs_k.value_or(-1));
  }
  if (fields.logprobs.value_or(false)) {
    return static_cast<std::int32_t>(fields.top_logprobs.value_or(0));
  }
  if (fields.top_logprobs.value_or(0) == 0) return -1;
  return Error{ErrorCode::kInvalidRequest, "'top_logprobs' needs 'logprobs' to be true",
               "top_logprobs"};
}

core::SamplingParams sampling_of(const WireFields& fields, std::uint32_t random_seed) {
  core::SamplingParams out;
  const double temperature = fields.temperature.value_or(1.0);
  const double top_p = fields.top_p.value_or(1.0);
  const bool greedy = temperature < kGreedyBelow || top_p <= 0.0;
  out.temperature = greedy ? 0.0F : static_cast<float>(temperature);
  out.top_p = greedy ? 1.0F : static_cast<float>(top_p);
  out.top_k = static_cast<std::int32_t>(std::max<std::int64_t>(0, fields.top_k.value_or(0)));
  out.min_p = static_cast<float>(fields.min_p.value_or(0.0));
  const auto& repetition =
      fields.repetition_penalty ? fields.repetition_penalty : fields.repeat_penalty;
  out.repetition_penalty = static_cast<float>(repetition.value_or(1.0));
  out.frequency_penalty = static_cast<float>(fields.frequency_penalty.value_or(0.0));
  out.presence_penalty = static_cast<float>(fields.presence_penalty.value_or(0.0));
  out.seed = fields.seed ? fold_seed(*fields.seed) : random_seed;
  out.ignore_eos = fields.ignore_eos.value_or(false);
  return out;
}

}  // namespace

Result<WireRequest> read_wire_request(const nlohmann::json& body, Endpoint endpoint) {
  if (auto refused = refuse_unsupported_fields(body, endpoint); !refused) return refused.error();
  auto fields = read_wire_fields(body, endpoint);
  if (!fields) return fields.error();
  auto stop = read_stop(body);
  if (!stop) return stop.error();
  auto logit_bias = read_logit_bias(body);
  if (!logit_bias) return logit_bias.error();
  const auto include_usage = read_include_usage(body);
  if (!include_usage) return include_usage.error();
  return WireRequest{std::move(*fields), std::move(*stop), std::move(*logit_bias), *include_usage};
}

Result<ValidRequest> validate(WireRequest wire, Endpoint endpoint, std::int32_t vocabulary_size,
                              std::uint32_t random_seed) {
  const auto outside = [&](const core::LogitBias& bias) { return bias.token >= vocabulary_size; };
  if (std::any_of(wire.logit_bias.begin(), wire.logit_bias.end(), outside)) {
    return Error{ErrorCode::kInvalidRequest,
                 fmt::format("'logit_bias' names a token id over {}", vocabulary_size - 1),
                 "logit_bias"};
  }
  const auto top_logprobs = top_logprobs_of(wire.fields, endpoint);
  if (!top_logprobs) return top_logprobs.error();

  ValidRequest out;
  out.model = wire.fields.model.value_or("");
  out.stream = wire.fields.stream.value_or(false);
  out.include_usage = wire.include_usage;
  out.n = static_cast<std::int32_t>(wire.fields.n.value_or(1));
  out.max_tokens = max_tokens_of(wire.fields, endpoint);
  out.sampling = sampling_of(wire.fields, random_seed);
  out.sampling.min_tokens = static_cast<std::int32_t>(
      std::min<std::int64_t>(wire.fields.min_tokens.value_or(0), out.max_tokens));
  out.sampling.top_logprobs = *top_logprobs;
  out.sampling.logit_bias = std::move(wire.logit_bias);
  out.stop = std::move(wire.stop);
  out.cache_salt = wire.fields.cache_salt.value_or("");
  return out;
}

}  // namespace switchyard::api
