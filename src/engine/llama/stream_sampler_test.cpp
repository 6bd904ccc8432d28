#include "engine/llama/stream_sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace switchyard::engine {
namespace {

using Tokens = std::vector<core::TokenId>;

constexpr core::TokenId kEnd = 3;
const Tokens kEndTokens = {kEnd};

/// A sampler over a vocabulary of five, with one request's parameters.
class Harness {
 public:
  explicit Harness(const std::function<void(core::SamplingParams&)>& set, Tokens prompt = {0}) {
    auto request = std::make_shared<core::Request>();
    request->id = 9;
    request->prompt = std::move(prompt);
    request->max_tokens = 1000;
    request->sampling.temperature = 0;
    set(request->sampling);
    sampler_ = std::make_unique<StreamSampler>(request, kEndTokens);
  }

  core::SampledToken sample(std::vector<float> logits) { return sampler_->sample(logits, buffer_); }
  Tokens sample_many(const std::vector<float>& logits, int count) {
    Tokens tokens;
    for (int i = 0; i < count; ++i) tokens.push_back(sample(logits).token);
    return tokens;
  }

 private:
  CandidateBuffer buffer_;
  std::unique_ptr<StreamSampler> sampler_;
};

TEST(StreamSampler, GreedyTakesTheLargestAndNamesItsRequest) {
  Harness harness([](auto&) {});
  const auto token = harness.sample({0, 1, 4, 2, 3});
  EXPECT_EQ(token.token, 2);
  EXPECT_EQ(token.request, 9U);
  EXPECT_FALSE(token.end_of_generation);
}

TEST(StreamSampler, AnEndTokenIsMarked) {
  EXPECT_TRUE(Harness([](auto&) {}).sample({0, 1, 2, 5, 3}).end_of_generation);
}

TEST(StreamSampler, IgnoreEosRulesTheEndTokenOut) {
  Harness harness([](auto& sampling) { sampling.ignore_eos = true; });
  EXPECT_EQ(harness.sample_many({0, 1, 2, 5, 3}, 3), (Tokens{4, 4, 4}));
}

TEST(StreamSampler, MinTokensRulesTheEndTokenOutThatLong) {
  Harness harness([](auto& sampling) { sampling.min_tokens = 2; });
  EXPECT_EQ(harness.sample_many({0, 1, 2, 5, 3}, 3), (Tokens{4, 4, 3}));
}

TEST(StreamSampler, LogitBiasMovesATokenAndOnesOutsideTheVocabularyAreIgnored) {
  Harness harness([](auto& sampling) { sampling.logit_bias = {{0, 100}, {-1, 100}, {77, 100}}; });
  EXPECT_EQ(harness.sample({0, 1, 4, 2, 3}).token, 0);
}

TEST(StreamSampler, FrequencyPenaltyGrowsWithEachUseOfAToken) {
  Harness harness([](auto& sampling) { sampling.frequency_penalty = 0.6F; });
  EXPECT_EQ(harness.sample_many({0, 3, 4, 0, 0}, 4), (Tokens{2, 2, 1, 2}));
}

TEST(StreamSampler, PresencePenaltyIsPaidOnce) {
  Harness harness([](auto& sampling) { sampling.presence_penalty = 1.5F; });
  EXPECT_EQ(harness.sample_many({0, 3, 4, 0, 0}, 4), (Tokens{2, 1, 2, 2}));
}

TEST(StreamSampler, FrequencyAndPresenceDoNotCountThePrompt) {
  Harness harness(
      [](auto& sampling) {
        sampling.presence_penalty = 2;
        sampling.frequency_penalty = 2;
      },
      {2, 2, 2});
  EXPECT_EQ(harness.sample({0, 3, 4, 0, 0}).token, 2);
}

TEST(StreamSampler, RepetitionPenaltyCountsThePrompt) {
  Harness harness([](auto& sampling) { sampling.repetition_penalty = 2; }, {2});
  EXPECT_EQ(harness.sample({0, 3, 4, 0, 0}).token, 1);
}

TEST(StreamSampler, SeedsRepeatTheirTokens) {
  for (const std::uint32_t seed : {0U, 1U, 0xFFFFFFFFU}) {
    const auto draw = [&] {
      Harness harness([&](auto& sampling) {
        sampling.temperature = 1;
        sampling.seed = seed;
      });
      return harness.sample_many({1, 1, 1, 1, 1}, 50);
    };
    EXPECT_EQ(draw(), draw());
  }
}

TEST(StreamSampler, TheTokensOfASeedDoNotDependOnTheStreamsThatShareItsMemory) {
  const std::vector<float> logits = {1, 1.5F, 1, 0.5F, 1};
  const auto sampler = [](std::uint32_t seed, float top_p) {
    auto request = std::make_shared<core::Request>();
    request->sampling.temperature = 0.7F;
    request->sampling.top_p = top_p;
    request->sampling.seed = seed;
    return StreamSampler(request, kEndTokens);
  };
  const auto draw = [&](StreamSampler& from, std::vector<float> row, CandidateBuffer& buffer) {
    return from.sample(row, buffer).token;
  };
  for (const float top_p : {0.8F, 1.0F}) {
    CandidateBuffer own;
    CandidateBuffer shared;
    StreamSampler alone = sampler(7, top_p);
    StreamSampler beside = sampler(7, top_p);
    StreamSampler neighbour = sampler(8, 0.9F);
    for (int i = 0; i < 100; ++i) {
      draw(neighbour, std::vector<float>(2000 + i, 0.5F), shared);
      EXPECT_EQ(draw(alone, logits, own), draw(beside, logits, shared)) << i;
    }
  }
}

TEST(StreamSampler, DrawsFollowTheDistribution) {
  Harness harness([](auto& sampling) { sampling.temperature = 1; });
  int twos = 0;
  for (const core::TokenId token : harness.sample_many({0, 0, std::log(6.0F), 0, 0}, 4000)) {
    twos += token == 2 ? 1 : 0;
  }
  EXPECT_NEAR(twos / 4000.0, 0.6, 0.04);  // five standard deviations
}

TEST(StreamSampler, ATemperatureTooSmallToDivideByIsGreedy) {
  for (const float temperature : {1e-45F, 1e-38F, 1e-5F}) {
    Harness harness([&](auto& sampling) { sampling.temperature = temperature; });
    EXPECT_EQ(harness.sample({0, 1, 4, 2, 3}).token, 2);
  }
}

TEST(StreamSampler, TopKTopPAndMinPCutTheTail) {
  const std::vector<float> logits = {0, 1, 6, 2, 5.9F};
  const auto only_the_two_best = [&](const std::function<void(core::SamplingParams&)>& cut) {
    Harness harness([&](auto& sampling) {
      sampling.temperature = 2;
      cut(sampling);
    });
    for (const core::TokenId token : harness.sample_many(logits, 300)) {
      EXPECT_TRUE(token == 2 || token == 4) << token;
    }
  };
  only_the_two_best([](auto& sampling) { sampling.top_k = 2; });
  only_the_two_best([](auto& sampling) { sampling.top_p = 0.6F; });
  only_the_two_best([](auto& sampling) { sampling.min_p = 0.5F; });
}

TEST(StreamSampler, ATopPOfZeroKeepsTheBest) {
  Harness harness([](auto& sampling) {
    sampling.temperature = 1;
    sampling.top_p = 0;
  });
  EXPECT_EQ(harness.sample_many({0, 1, 4, 2, 3}, 3), (Tokens{2, 2, 2}));
}

TEST(StreamSampler, LogprobsAreOfTheModelsDistributionBeforeAnyChange) {
  Harness harness([](auto& sampling) {
    sampling.top_logprobs = 2;
    sampling.ignore_eos = true;
    sampling.logit_bias = {{0, 100}};
  });
  const auto token = harness.sample({1, 0, 2, 5, 3});
  const double sum = std::exp(1) + 1 + std::exp(2) + std::exp(5) + std::exp(3);
  EXPECT_EQ(token.token, 0);
  EXPECT_NEAR(token.logprob, 1 - std::log(sum), 1e-5);
  ASSERT_EQ(token.top_logprobs.size(), 2U);
  EXPECT_EQ(token.top_logprobs[0].token, kEnd);
  EXPECT_NEAR(token.top_logprobs[0].logprob, 5 - std::log(sum), 1e-5);
}

}  // namespace
}  // namespace switchyard::engine
