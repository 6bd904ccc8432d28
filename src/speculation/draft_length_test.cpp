#include "speculation/draft_length.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace switchyard::speculation {
namespace {

/// r(n) of BF16 on the reference CPU (docs: measured at 1, 2, 4, 5, 8, 16), linear in between.
const std::vector<double> kBf16 = {1,   1.7, 1.9, 2.1, 2.2, 2.37, 2.53, 2.7,
                                   2.8, 2.9, 3.0, 3.1, 3.2, 3.3,  3.4,  3.5};
/// An accelerator that is limited by memory: tokens of one pass are nearly free.
const std::vector<double> kFlat = {1,    1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07,
                                   1.08, 1.09, 1.1,  1.11, 1.12, 1.13, 1.14, 1.15};

StepCosts alone(const std::vector<double>& ratios) {
  return {.plain = 1, .rest = 0, .verify = ratios};
}

DraftCandidate candidate(double alpha, std::int32_t available = 15, std::int32_t left = 100,
                         double budget = 100) {
  return {alpha, available, left, budget};
}

std::int32_t length_for(const DraftCandidate& only, const StepCosts& costs) {
  return choose_draft_length({&only, 1}, 0, costs).tokens;
}

TEST(ExpectedTokens, MatchesThePaperAndItsLimits) {
  EXPECT_DOUBLE_EQ(expected_tokens(0, 5), 1);
  EXPECT_DOUBLE_EQ(expected_tokens(1, 5), 6);
  EXPECT_DOUBLE_EQ(expected_tokens(0.5, 2), 1.75);
  EXPECT_DOUBLE_EQ(expected_tokens(0.9, 0), 1);
}

struct Case {
  const char* name;
  DraftCandidate candidate;
  const std::vector<double>* ratios;
  std::int32_t expected;
};

class Alone : public ::testing::TestWithParam<Case> {};

TEST_P(Alone, DraftLength) {
  EXPECT_EQ(length_for(GetParam().candidate, alone(*GetParam().ratios)), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Alone,
    ::testing::Values(Case{"NeverAccepted", candidate(0), &kBf16, 0},
                      Case{"HalfAcceptedDoesNotPay", candidate(0.5), &kBf16, 0},
                      Case{"OftenAccepted", candidate(0.7), &kBf16, 4},
                      Case{"NearlyAlwaysAccepted", candidate(0.97), &kBf16, 15},
                      Case{"AlwaysAccepted", candidate(1), &kBf16, 15},
                      Case{"NoDraft", candidate(1, 0), &kBf16, 0},
                      Case{"ShortDraft", candidate(1, 3), &kBf16, 3},
                      Case{"TwoTokensOfADraftPayLittle", candidate(0.6, 2), &kBf16, 0},
                      Case{"LastToken", candidate(1, 15, 1), &kBf16, 0},
                      Case{"FewTokensLeft", candidate(1, 15, 5), &kBf16, 4},
                      Case{"SmallBudget", candidate(1, 15, 100, 1.25), &kBf16, 4},
                      Case{"NoBudget", candidate(1, 15, 100, 0.1), &kBf16, 0},
                      Case{"HalfAcceptedPaysWhereTokensAreFree", candidate(0.5), &kFlat, 5}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ChooseDraftLength, NothingToChooseFrom) {
  EXPECT_EQ(choose_draft_length({}, 3, alone(kBf16)).tokens, 0);
  EXPECT_EQ(length_for(candidate(1), {.plain = 1, .rest = 0, .verify = {}}), 0);
}

TEST(ChooseDraftLength, NeverLongerThanTheOptionOrTheTable) {
  const DraftCandidate sure = candidate(1);
  EXPECT_EQ(choose_draft_length({&sure, 1}, 0, alone(kFlat), {.max_draft_tokens = 6}).tokens, 6);
  EXPECT_EQ(length_for(sure, alone({1, 1.1, 1.2})), 2);
}

TEST(ChooseDraftLength, SpeculatesOnlyIfTheGainIsAboveTheMargin) {
  for (double alpha = 0; alpha <= 1; alpha += 0.01) {
    const DraftCandidate one = candidate(alpha);
    const DraftLength chosen = choose_draft_length({&one, 1}, 0, alone(kBf16));
    for (std::int32_t n = 1; n <= 15; ++n) {
      const double gain = expected_tokens(alpha, n) / kBf16[static_cast<std::size_t>(n)];
      if (gain > 1.05) {
        EXPECT_GE(chosen.gain, gain - 1e-12) << alpha << " " << n;
      }
    }
    EXPECT_EQ(chosen.tokens > 0, chosen.gain > 1.05);
  }
}

TEST(ChooseDraftLength, HigherAcceptanceNeverMeansAShorterDraft) {
  std::int32_t last = 0;
  for (double alpha = 0; alpha <= 1; alpha += 0.01) {
    const std::int32_t length = length_for(candidate(alpha), alone(kBf16));
    EXPECT_GE(length, last) << alpha;
    last = length;
  }
}

TEST(ChooseDraftLength, ANeighbourMayBeSlowedByTenPercentAtMost) {
  const DraftCandidate sure = candidate(1);
  // Beside three others (one pass of 1.9), the verification is a pass of its own.
  const StepCosts cpu{.plain = 2.1, .rest = 1.9, .verify = kBf16};
  EXPECT_EQ(choose_draft_length({&sure, 1}, 3, cpu).tokens, 0);
  // Beside a long prompt chunk it hardly counts.
  const StepCosts chunk{.plain = 40, .rest = 39.8, .verify = kBf16};
  EXPECT_EQ(choose_draft_length({&sure, 1}, 3, chunk).tokens, 15);
}

TEST(ChooseDraftLength, AllTogetherInOnePassMaySpeculate) {
  std::vector<DraftCandidate> all(4, candidate(0.95));
  std::vector<double> verify = {2.1};
  for (int n = 2; n <= 6; ++n) verify.push_back(2.1 + 0.15 * 4 * (n - 1));
  const StepCosts costs{.plain = 2.1, .rest = 0, .verify = verify};
  EXPECT_EQ(choose_draft_length(all, 0, costs).tokens, 5);
  // One that gains nothing would only wait for the others.
  all.front().available = 0;
  EXPECT_EQ(choose_draft_length(all, 0, costs).tokens, 0);
}

TEST(ChooseDraftLength, PaddedDraftsCostAndEmitNothing) {
  const std::vector<DraftCandidate> pair = {candidate(1, 15), candidate(1, 2)};
  const std::vector<double> verify = {1, 1.1, 1.2, 2.5, 2.6};
  EXPECT_EQ(choose_draft_length(pair, 0, {.plain = 1, .rest = 0, .verify = verify}).tokens, 2);
}

}  // namespace
}  // namespace switchyard::speculation
