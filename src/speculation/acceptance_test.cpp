#include "speculation/acceptance.h"

#include <gtest/gtest.h>

#include <random>

namespace switchyard::speculation {
namespace {

/// A verification of `n_draft` tokens, each accepted with probability `alpha` after its
/// predecessors.
std::int32_t accept(std::mt19937& random, double alpha, std::int32_t n_draft) {
  std::bernoulli_distribution accepted(alpha);
  std::int32_t n = 0;
  while (n < n_draft && accepted(random)) ++n;
  return n;
}

TEST(Strength, OfAMatch) {
  EXPECT_EQ(strength_of(2), MatchStrength::kTwo);
  EXPECT_EQ(strength_of(3), MatchStrength::kThree);
  EXPECT_EQ(strength_of(4), MatchStrength::kFour);
  EXPECT_EQ(strength_of(7), MatchStrength::kFour);
  EXPECT_EQ(strength_of(8), MatchStrength::kEight);
  EXPECT_EQ(strength_of(32), MatchStrength::kEight);
}

TEST(AcceptanceRate, IsThePriorAtFirst) { EXPECT_DOUBLE_EQ(AcceptanceRate().value(0.3, 4), 0.3); }

TEST(AcceptanceRate, CountsOnlyTokensWhosePredecessorsWereAccepted) {
  AcceptanceRate rate;
  rate.add(8, 1, 1000);  // one success, one failure, six untested
  EXPECT_NEAR(rate.value(0, 1e-9), 0.5, 1e-3);
  rate.add(0, 0, 1000);
  EXPECT_NEAR(rate.value(0, 1e-9), 0.5, 1e-3);
}

TEST(AcceptanceRate, FindsTheTrueAcceptanceAtAnyDraftLength) {
  std::mt19937 random(5);
  for (const double alpha : {0.1, 0.5, 0.9}) {
    for (const std::int32_t n_draft : {1, 4, 15}) {
      AcceptanceRate rate;
      for (int i = 0; i < 3000; ++i) rate.add(n_draft, accept(random, alpha, n_draft), 2000);
      EXPECT_NEAR(rate.value(0.5, 1), alpha, 0.04) << alpha << " " << n_draft;
    }
  }
}

TEST(AcceptanceRate, FollowsAChange) {
  AcceptanceRate rate;
  for (int i = 0; i < 1000; ++i) rate.add(4, 4, 48);
  EXPECT_GT(rate.value(0.5, 4), 0.9);
  for (int i = 0; i < 100; ++i) rate.add(4, 0, 48);
  EXPECT_LT(rate.value(0.5, 4), 0.2);
}

TEST(AcceptanceRate, StaysWithinZeroAndOne) {
  std::mt19937 random(9);
  AcceptanceRate rate;
  for (int i = 0; i < 5000; ++i) {
    const auto drafted = static_cast<std::int32_t>(random() % 17);
    rate.add(drafted, static_cast<std::int32_t>(random() % (drafted + 1)), 10);
    const double value = rate.value(0.5, 0.5);
    ASSERT_GE(value, 0);
    ASSERT_LE(value, 1);
  }
}

TEST(AcceptanceTracker, ANewSequenceStartsFromItsClass) {
  AcceptanceTracker tracker(2);
  AcceptanceByStrength first = {};
  for (int i = 0; i < 100; ++i) tracker.add(0, first, MatchStrength::kFour, 4, 0);
  const AcceptanceByStrength second = {};
  EXPECT_LT(tracker.alpha(0, second, MatchStrength::kFour), 0.15);
  EXPECT_DOUBLE_EQ(tracker.alpha(1, second, MatchStrength::kFour),
                   AcceptanceOptions{}.prior[static_cast<std::size_t>(MatchStrength::kFour)]);
}

TEST(AcceptanceTracker, ASequenceSoonCountsMoreThanItsClass) {
  AcceptanceTracker tracker(1);
  AcceptanceByStrength others = {};
  for (int i = 0; i < 200; ++i) tracker.add(0, others, MatchStrength::kFour, 4, 0);
  AcceptanceByStrength sequence = {};
  for (int i = 0; i < 3; ++i) tracker.add(0, sequence, MatchStrength::kFour, 4, 4);
  EXPECT_GT(tracker.alpha(0, sequence, MatchStrength::kFour), 0.7);
}

TEST(AcceptanceTracker, StrengthsAreSeparate) {
  AcceptanceTracker tracker(1);
  AcceptanceByStrength sequence = {};
  const double before = tracker.alpha(0, sequence, MatchStrength::kEight);
  for (int i = 0; i < 50; ++i) tracker.add(0, sequence, MatchStrength::kTwo, 4, 0);
  EXPECT_DOUBLE_EQ(tracker.alpha(0, sequence, MatchStrength::kEight), before);
}

}  // namespace
}  // namespace switchyard::speculation
