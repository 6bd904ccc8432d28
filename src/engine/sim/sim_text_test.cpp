#include "engine/sim/sim_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/sim/sim_tokenizer.h"

namespace switchyard::engine {
namespace {

std::vector<core::TokenId> generate(const std::string& prompt, const core::SamplingParams& sampling,
                                    int most) {
  SimText text(SimTokenizer().tokenize(prompt, true, false), sampling);
  std::vector<core::TokenId> tokens;
  while (!text.ended() && static_cast<int>(tokens.size()) < most) {
    tokens.push_back(text.next().token);
  }
  return tokens;
}

core::SamplingParams with(float temperature, std::uint32_t seed) {
  core::SamplingParams sampling;
  sampling.temperature = temperature;
  sampling.seed = seed;
  return sampling;
}

TEST(SimText, GreedyTextDependsOnThePromptAndNotOnTheSeed) {
  EXPECT_EQ(generate("one", with(0, 1), 1000), generate("one", with(0, 2), 1000));
  EXPECT_NE(generate("one", with(0, 1), 1000), generate("two", with(0, 1), 1000));
}

TEST(SimText, SampledTextRepeatsWithItsSeed) {
  EXPECT_EQ(generate("one", with(1, 1), 1000), generate("one", with(1, 1), 1000));
  EXPECT_NE(generate("one", with(1, 1), 1000), generate("one", with(1, 2), 1000));
}

TEST(SimText, AnswersEndBetween20And400Tokens) {
  for (int i = 0; i < 200; ++i) {
    const auto tokens = generate("prompt " + std::to_string(i), with(0, 0), 1000);
    EXPECT_EQ(tokens.back(), SimTokenizer::kTurnEnd);
    EXPECT_GE(tokens.size(), 21U);
    EXPECT_LE(tokens.size(), 401U);
  }
}

TEST(SimText, IgnoreEosNeverEnds) {
  core::SamplingParams sampling = with(0, 0);
  sampling.ignore_eos = true;
  EXPECT_EQ(generate("one", sampling, 2000).size(), 2000U);
}

TEST(SimText, MinTokensDelaysTheEnd) {
  core::SamplingParams sampling = with(0, 0);
  sampling.min_tokens = 700;
  EXPECT_EQ(generate("one", sampling, 2000).size(), 701U);
}

TEST(SimText, PlainTextIsPrintable) {
  auto tokens = generate("one", with(0, 0), 1000);
  tokens.pop_back();
  EXPECT_TRUE(std::all_of(tokens.begin(), tokens.end(),
                          [](core::TokenId token) { return token >= ' ' && token < 127; }));
}

TEST(SimText, APromptThatMentionsUnicodeGetsCharactersOfSeveralTokens) {
  const auto tokens = generate("say unicode", with(0, 0), 1000);
  EXPECT_TRUE(std::any_of(tokens.begin(), tokens.end(),
                          [](core::TokenId token) { return token >= 0xF0 && token < 0xF8; }));
}

TEST(SimText, LogprobsAreThereOnlyWhenAskedForAndSumToLessThanOne) {
  core::SamplingParams sampling = with(0, 0);
  EXPECT_TRUE(SimText(std::vector<core::TokenId>{1}, sampling).next().top_logprobs.empty());
  sampling.top_logprobs = 5;
  const auto token = SimText(std::vector<core::TokenId>{1}, sampling).next();
  ASSERT_EQ(token.top_logprobs.size(), 5U);
  EXPECT_EQ(token.top_logprobs[0].token, token.token);
  double sum = 0;
  for (const auto& top : token.top_logprobs) sum += std::exp(top.logprob);
  EXPECT_LT(sum, 1.0);
}

}  // namespace
}  // namespace switchyard::engine
