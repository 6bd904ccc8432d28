#pragma once

#include <memory>
#include <random>
#include <span>

#include "core/batch.h"
#include "core/request.h"
#include "engine/llama/penalties.h"
#include "engine/llama/token_draw.h"

namespace switchyard::engine {

/// Chooses the tokens of one request. Not thread safe.
///
/// In order: log-probabilities of the raw logits; end-of-generation tokens ruled out while
/// ignore_eos or min_tokens ask for it; logit bias; penalties; then the largest logit if
/// temperature is below kGreedyTemperature, else top-k → top-p → min-p → temperature → a draw.
/// Each draw takes one number of the seeded generator, so that a token depends on its logits, the
/// seed and its position only.
class StreamSampler {
 public:
  /// Dividing logits by less overflows or leaves one candidate anyway.
  static constexpr float kGreedyTemperature = 1e-4F;

  /// `end_tokens` must outlive it.
  StreamSampler(std::shared_ptr<const core::Request> request,
                std::span<const core::TokenId> end_tokens);

  /// Chooses from one row of logits, which it changes.
  core::SampledToken sample(std::span<float> logits, CandidateBuffer& buffer);

 private:
  void rule_out_end_tokens(std::span<float> logits) const;
  void apply_bias(std::span<float> logits) const;
  core::TokenId choose(std::span<const float> logits, CandidateBuffer& buffer);

  std::shared_ptr<const core::Request> request_;
  std::span<const core::TokenId> end_tokens_;
  Penalties penalties_;
  std::mt19937 random_;
  std::int32_t generated_ = 0;
};

}  // namespace switchyard::engine
