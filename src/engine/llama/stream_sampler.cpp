#include "engine/llama/stream_sampler.h"

#include <llama.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/llama/argmax.h"
#include "engine/llama/logprobs.h"

namespace switchyard::engine {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

/// llama.cpp reads one seed value as "take a random one".
std::uint32_t repeatable(std::uint32_t seed) {
  return seed == LLAMA_DEFAULT_SEED ? LLAMA_DEFAULT_SEED - 1 : seed;
}

SamplerHandle make_chain(const core::SamplingParams& sampling) {
  if (sampling.temperature < StreamSampler::kGreedyTemperature) return nullptr;
  SamplerHandle chain(llama_sampler_chain_init({.no_perf = true}));
  const auto add = [&](llama_sampler* sampler) { llama_sampler_chain_add(chain.get(), sampler); };
  if (sampling.top_k > 0) add(llama_sampler_init_top_k(sampling.top_k));
  if (sampling.top_p < 1) add(llama_sampler_init_top_p(sampling.top_p, 1));
  if (sampling.min_p > 0) add(llama_sampler_init_min_p(sampling.min_p, 1));
  if (sampling.temperature != 1) add(llama_sampler_init_temp(sampling.temperature));
  add(llama_sampler_init_dist(repeatable(sampling.seed)));
  return chain;
}

bool has_penalties(const core::SamplingParams& sampling) {
  return sampling.repetition_penalty != 1 || sampling.frequency_penalty != 0 ||
         sampling.presence_penalty != 0;
}

}  // namespace

struct CandidateBuffer::Candidates {
  std::vector<llama_token_data> data;
};

CandidateBuffer::CandidateBuffer() : candidates_(std::make_unique<Candidates>()) {}
CandidateBuffer::~CandidateBuffer() = default;

StreamSampler::StreamSampler(std::shared_ptr<const core::Request> request,
                             std::span<const core::TokenId> end_tokens)
    : request_(std::move(request)),
      end_tokens_(end_tokens),
      penalized_(has_penalties(request_->sampling)),
      chain_(make_chain(request_->sampling)) {
  if (!penalized_) return;
  for (const core::TokenId token : request_->prompt) seen_[token].in_prompt = true;
}

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

void StreamSampler::apply_penalties(std::span<float> logits) const {
  const core::SamplingParams& sampling = request_->sampling;
  for (const auto& [token, seen] : seen_) {
    float& logit = logits[static_cast<std::size_t>(token)];
    logit = logit > 0 ? logit / sampling.repetition_penalty : logit * sampling.repetition_penalty;
    if (seen.generated == 0) continue;
    logit -=
        sampling.frequency_penalty * static_cast<float>(seen.generated) + sampling.presence_penalty;
  }
}

core::TokenId StreamSampler::draw(std::span<const float> logits, CandidateBuffer& buffer) {
  auto& candidates = buffer.candidates_->data;
  candidates.resize(logits.size());
  for (std::size_t token = 0; token < logits.size(); ++token) {
    candidates[token] = {static_cast<llama_token>(token), logits[token], 0.0F};
  }
  llama_token_data_array array{candidates.data(), candidates.size(), -1, false};
  llama_sampler_apply(chain_.get(), &array);
  const core::TokenId token = array.data[array.selected].id;
  llama_sampler_accept(chain_.get(), token);
  return token;
}

core::SampledToken StreamSampler::sample(std::span<float> logits, CandidateBuffer& buffer) {
  core::SampledToken sampled;
  sampled.request = request_->id;
  const std::int32_t top = request_->sampling.top_logprobs;
  const float log_sum = top >= 0 ? log_sum_exp(logits) : 0.0F;
  std::vector<float> raw;
  if (top >= 0) {
    sampled.top_logprobs = most_likely(logits, log_sum, top);
    raw.assign(logits.begin(), logits.end());
  }
  rule_out_end_tokens(logits);
  apply_bias(logits);
  if (penalized_) apply_penalties(logits);
  sampled.token = chain_ ? draw(logits, buffer) : static_cast<core::TokenId>(argmax(logits));
  if (top >= 0) sampled.logprob = raw[static_cast<std::size_t>(sampled.token)] - log_sum;
  sampled.end_of_generation =
      std::find(end_tokens_.begin(), end_tokens_.end(), sampled.token) != end_tokens_.end();
  if (penalized_) ++seen_[sampled.token].generated;
  ++generated_;
  return sampled;
}

}  // namespace switchyard::engine
