#include "engine/llama/penalties.h"

#include <gtest/gtest.h>

#include <functional>

namespace switchyard::engine {
namespace {

using Tokens = std::vector<core::TokenId>;

/// What is left of logits {2, 2, 2, −2} after the prompt and these generated tokens.
std::vector<float> penalized(const std::function<void(core::SamplingParams&)>& set,
                             const Tokens& prompt, const Tokens& generated) {
  core::Request request;
  request.prompt = prompt;
  request.max_tokens = 8;
  set(request.sampling);
  Penalties penalties(request);
  for (const core::TokenId token : generated) penalties.count(token);
  std::vector<float> logits = {2, 2, 2, -2};
  penalties.apply(logits);
  return logits;
}

TEST(Penalties, OffTheyChangeNothing) {
  EXPECT_EQ(penalized([](auto&) {}, {0, 1}, {2, 3}), (std::vector<float>{2, 2, 2, -2}));
}

TEST(Penalties, TheRepetitionPenaltyFallsOnceOnPromptAndGeneratedTokens) {
  const auto left =
      penalized([](auto& sampling) { sampling.repetition_penalty = 2; }, {0, 0, 3}, {1, 1, 0});
  EXPECT_EQ(left, (std::vector<float>{1, 1, 2, -4}));
}

TEST(Penalties, TheFrequencyPenaltyCountsGeneratedTokensOnly) {
  const auto left =
      penalized([](auto& sampling) { sampling.frequency_penalty = 0.5F; }, {0, 0, 3}, {1, 1, 2});
  EXPECT_EQ(left, (std::vector<float>{2, 1, 1.5F, -2}));
}

TEST(Penalties, ThePresencePenaltyFallsOnceOnGeneratedTokensOnly) {
  const auto left =
      penalized([](auto& sampling) { sampling.presence_penalty = 0.5F; }, {0, 0, 3}, {1, 1, 2});
  EXPECT_EQ(left, (std::vector<float>{2, 1.5F, 1.5F, -2}));
}

TEST(Penalties, TogetherTheRepetitionPenaltyComesFirst) {
  const auto all = [](auto& sampling) {
    sampling.repetition_penalty = 2;
    sampling.frequency_penalty = 0.25F;
    sampling.presence_penalty = 0.5F;
  };
  EXPECT_EQ(penalized(all, {0}, {1, 1}), (std::vector<float>{1, 0, 2, -2}));
}

}  // namespace
}  // namespace switchyard::engine
