#include "speculation/loss_budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace switchyard::speculation {
namespace {

TEST(LossBudget, PlainStepsEarnALittle) {
  LossBudget budget({.at_start = 1, .per_step = 0.01, .most = 6});
  for (int i = 0; i < 100; ++i) budget.add(1, 1);
  EXPECT_NEAR(budget.steps(), 2, 1e-9);
}

TEST(LossBudget, GainsAreKeptOnlyUpToTheMost) {
  LossBudget budget({.at_start = 1, .per_step = 0, .most = 6});
  budget.add(16, 3.5);
  EXPECT_DOUBLE_EQ(budget.steps(), 6);
  budget.add(1, 3.5);
  EXPECT_DOUBLE_EQ(budget.steps(), 3.5);
}

TEST(LossBudget, BoundsTheTotalLossWhateverIsAccepted) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    LossBudget budget;
    double time = 0;
    int tokens = 0;
    while (tokens < 500) {
      const double cost = 1 + static_cast<double>(random() % 300) / 100;
      const bool affords = cost - 1 <= budget.steps();
      const std::int32_t emitted =
          affords && random() % 10 == 0 ? 1 + static_cast<std::int32_t>(random() % 5) : 1;
      budget.add(emitted, affords ? cost : 1);
      time += affords ? cost : 1;
      tokens += emitted;
    }
    EXPECT_LE(time, tokens * 1.008 + 1.5 + 1e-9) << seed;
  }
}

}  // namespace
}  // namespace switchyard::speculation
