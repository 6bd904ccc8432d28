#include "speculation/verification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace switchyard::speculation {
namespace {

using ::testing::ElementsAreArray;
using Tokens = std::vector<core::TokenId>;

constexpr core::TokenId kEnd = 9;

core::SampledToken sampled(core::TokenId token) {
  core::SampledToken out;
  out.token = token;
  out.end_of_generation = token == kEnd;
  return out;
}

struct Case {
  const char* name;
  Tokens draft;
  Tokens argmax;  ///< by row, draft.size() + 1
  Tokens emitted;
  std::int32_t accepted;
};

class Greedy : public ::testing::TestWithParam<Case> {};

TEST_P(Greedy, Verification) {
  std::vector<core::SampledToken> emitted;
  std::int32_t next_row = 0;
  const auto sample = [&](std::int32_t row) {
    EXPECT_EQ(row, next_row++) << "rows in order, each once";
    return sampled(GetParam().argmax.at(static_cast<std::size_t>(row)));
  };
  EXPECT_EQ(verify(GetParam().draft, sample, emitted), GetParam().accepted);
  Tokens tokens;
  for (const core::SampledToken& token : emitted) tokens.push_back(token.token);
  EXPECT_THAT(tokens, ElementsAreArray(GetParam().emitted));
  EXPECT_EQ(next_row, static_cast<std::int32_t>(tokens.size()));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Greedy,
    ::testing::Values(Case{"NoDraftIsPlainDecoding", {}, {4}, {4}, 0},
                      Case{"AllAcceptedAndTheBonus", {1, 2, 3}, {1, 2, 3, 4}, {1, 2, 3, 4}, 3},
                      Case{"NoneAccepted", {1, 2, 3}, {5, 2, 3, 4}, {5}, 0},
                      Case{"ThePrefixOnly", {1, 2, 3}, {1, 7, 3, 4}, {1, 7}, 1},
                      Case{"RightAgainAfterAMistakeCountsNot", {1, 2}, {2, 2, 3}, {2}, 0},
                      Case{"EndsAtAnAcceptedEnd", {1, kEnd, 3}, {1, kEnd, 3, 4}, {1, kEnd}, 2},
                      Case{"EndsAtARejectingEnd", {1, 2}, {1, kEnd, 4}, {1, kEnd}, 1}),
    [](const auto& test) { return std::string(test.param.name); });

/// A language of three tokens whose distribution depends on the last one.
constexpr std::size_t kTokens = 3;
constexpr std::array<std::array<double, kTokens>, kTokens> kNext = {
    {{0.7, 0.2, 0.1}, {0.05, 0.15, 0.8}, {0.3, 0.3, 0.4}}};

core::TokenId draw(std::mt19937& random, core::TokenId last) {
  const auto& p = kNext[static_cast<std::size_t>(last)];
  return std::discrete_distribution<core::TokenId>(p.begin(), p.end())(random);
}

/// Generates by verifications of the draft 0 2 1 0 2 1 ….
Tokens generate(std::mt19937& random, std::size_t n_tokens, std::int32_t n_draft) {
  Tokens out = {0};
  while (out.size() < n_tokens) {
    Tokens draft;
    for (std::int32_t i = 0; i < n_draft; ++i) draft.push_back((out.back() + 2 * (i + 1)) % 3);
    std::vector<core::SampledToken> emitted;
    const auto sample = [&](std::int32_t row) {
      return sampled(
          draw(random, row == 0 ? out.back() : draft[static_cast<std::size_t>(row) - 1]));
    };
    verify(draft, sample, emitted);
    for (const core::SampledToken& token : emitted) out.push_back(token.token);
  }
  out.resize(n_tokens);
  return out;
}

TEST(Sampling, SameSeedSameTokensAsPlainDecoding) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 plain(seed);
    const Tokens expected = generate(plain, 200, 0);
    for (const std::int32_t n_draft : {1, 4, 16}) {
      std::mt19937 random(seed);
      EXPECT_EQ(generate(random, 200, n_draft), expected) << seed << " " << n_draft;
    }
  }
}

/// The rejection rule as the papers write it: x with probability p(x), else from p without x.
core::TokenId rejection_rule(std::mt19937& random, core::TokenId last, core::TokenId draft) {
  auto p = kNext[static_cast<std::size_t>(last)];
  const auto x = static_cast<std::size_t>(draft);
  if (std::uniform_real_distribution<>()(random) < p[x]) return draft;
  p[x] = 0;
  return std::discrete_distribution<core::TokenId>(p.begin(), p.end())(random);
}

/// χ² of counted (token, next token, next but one) triples after 0 against the language: 26 degrees
/// of freedom, above 54.05 with probability 0.001.
double chi_square(const std::vector<int>& counts, int n) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t a = i / 9;
    const std::size_t b = i / 3 % 3;
    const double expected = n * kNext[0][a] * kNext[a][b] * kNext[b][i % 3];
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return sum;
}

constexpr double kChiSquareLimit = 54.05;
constexpr int kDraws = 50000;

TEST(Sampling, KeepsTheJointDistribution) {
  for (const std::int32_t n_draft : {1, 2, 3, 8}) {
    std::mt19937 random(1234);
    std::vector<int> counts(27, 0);
    for (int i = 0; i < kDraws; ++i) {
      const Tokens out = generate(random, 4, n_draft);
      ++counts[static_cast<std::size_t>(out[1] * 9 + out[2] * 3 + out[3])];
    }
    EXPECT_LT(chi_square(counts, kDraws), kChiSquareLimit) << n_draft;
  }
}

TEST(Sampling, IsTheRejectionRuleOfThePapers) {
  std::mt19937 random(99);
  std::vector<int> counts(27, 0);
  for (int i = 0; i < kDraws; ++i) {
    const core::TokenId a = rejection_rule(random, 0, 2);
    const core::TokenId b = rejection_rule(random, a, 1);
    const core::TokenId c = rejection_rule(random, b, 0);
    ++counts[static_cast<std::size_t>(a * 9 + b * 3 + c)];
  }
  EXPECT_LT(chi_square(counts, kDraws), kChiSquareLimit);
}

TEST(Sampling, TheChiSquareWouldShowAGreedyBias) {
  std::mt19937 random(1234);
  std::vector<int> counts(27, 0);
  for (int i = 0; i < kDraws; ++i) {
    // Wrong on purpose: one draft in fifty is accepted unseen.
    const core::TokenId a = random() % 50 == 0 ? 2 : draw(random, 0);
    const core::TokenId b = draw(random, a);
    ++counts[static_cast<std::size_t>(a * 9 + b * 3 + draw(random, b))];
  }
  EXPECT_GT(chi_square(counts, kDraws), kChiSquareLimit);
}

}  // namespace
}  // namespace switchyard::speculation
