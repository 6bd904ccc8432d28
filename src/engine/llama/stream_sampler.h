#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/batch.h"
#include "core/request.h"
#include "engine/llama/handles.h"

namespace switchyard::engine {

/// Candidate memory shared by the samplers of a lane, which run one after another.
class CandidateBuffer {
 public:
  CandidateBuffer();
  ~CandidateBuffer();

 private:
  friend class StreamSampler;
  struct Candidates;
  std::unique_ptr<Candidates> candidates_;
};

/// Chooses the tokens of one request. Not thread safe.
///
/// In order: log-probabilities of the raw logits; end-of-generation tokens ruled out while
/// ignore_eos or min_tokens ask for it; logit bias; penalties; then the largest logit if
/// temperature is below kGreedyTemperature, else top-k → top-p → min-p → temperature → a draw from
/// the seeded generator. Frequency and presence penalties count the generated text (as OpenAI's),
/// the repetition penalty prompt and generated text (as vLLM's).
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
  struct Seen {
    std::int32_t generated = 0;
    bool in_prompt = false;
  };

  void rule_out_end_tokens(std::span<float> logits) const;
  void apply_bias(std::span<float> logits) const;
  void apply_penalties(std::span<float> logits) const;
  core::TokenId draw(std::span<const float> logits, CandidateBuffer& buffer);

  std::shared_ptr<const core::Request> request_;
  std::span<const core::TokenId> end_tokens_;
  bool penalized_;
  std::unordered_map<core::TokenId, Seen> seen_;  ///< filled only if penalized_
  std::int32_t generated_ = 0;
  SamplerHandle chain_;  ///< null: greedy
};

}  // namespace switchyard::engine
