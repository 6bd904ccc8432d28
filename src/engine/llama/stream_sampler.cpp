#include "engine/llama/stream_sampler.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/llama/argmax.h"
#include "engine/llama/logprobs.h"

namespace switchyard::engine {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

}  // namespace

StreamSampler::StreamSampler(std::shared_ptr<const core::Request> request,
                             std::span<const core::TokenId> end_tokens)
    : request_(std::move(request)),
      end_tokens_(end_tokens),
      penalties_(*request_),
      random_(request_->sampling.seed) {}

void StreamSampler::rule_out_end_tokens(std::span<float> logits) const {
  const core::SamplingParams& sampling = request_->sampling;
  if (!sampling.ignore_eos && generated_ >= sampling.min_tokens) return;
  for (const core::TokenId token : end_tokens_) logits[static_cast<std::size_t>(token)] = kNever;
}

void StreamSampler::apply_bias(std::span<float> logits) const {
  for (const core::LogitBias& bias : request_->sampling.logit_bias) {
    const auto token = static_cast<std::size_t>(bias.token);
    if (bias.token >= 0 && token < logits.size()) logits[token] += bias.bias;
  }
}

core::TokenId StreamSampler::choose(std::span<const float> logits, CandidateBuffer& buffer) {
  const core::SamplingParams& sampling = request_->sampling;
  if (sampling.temperature < kGreedyTemperature) {
    return static_cast<core::TokenId>(argmax(logits));
  }
  const double uniform = std::uniform_real_distribution<double>(0, 1)(random_);
  return draw_token(logits, sampling, uniform, buffer);
}

core::SampledToken StreamSampler::sample(std::span<float> logits, CandidateBuffer& buffer) {
  core::SampledToken sampled;
  sampled.request = request_->id;
  const std::int32_t top = request_->sampling.top_logprobs;
  const float log_sum = top >= 0 ? log_sum_exp(logits) : 0.0F;
  if (top >= 0) {
    sampled.top_logprobs = most_likely(logits, log_sum, top);
    buffer.raw.assign(logits.begin(), logits.end());
  }
  rule_out_end_tokens(logits);
  apply_bias(logits);
  penalties_.apply(logits);
  sampled.token = choose(logits, buffer);
  if (top >= 0) sampled.logprob = buffer.raw[static_cast<std::size_t>(sampled.token)] - log_sum;
  sampled.end_of_generation =
      std::find(end_tokens_.begin(), end_tokens_.end(), sampled.token) != end_tokens_.end();
  penalties_.count(sampled.token);
  ++generated_;
  return sampled;
}

}  // namespace switchyard::engine
