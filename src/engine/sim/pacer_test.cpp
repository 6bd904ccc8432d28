#include "engine/sim/pacer.h"

#include <gtest/gtest.h>

namespace switchyard::engine {
namespace {

TEST(Pacer, CostsTooShortForASleepAddUp) {
  Pacer pacer;
  const core::TimePoint began = core::Clock::now();
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(pacer.pace(core::Clock::now(), 50e-6));
  EXPECT_GE(core::to_seconds(core::Clock::now() - began), 200 * 50e-6 - 200e-6 - 1e-9);
}

TEST(Pacer, TimeTheStepItselfTookCounts) {
  Pacer pacer;
  const core::TimePoint hour_ago = core::Clock::now() - std::chrono::hours(1);
  EXPECT_TRUE(pacer.pace(hour_ago, 3600));  // would not return in time if it slept
}

TEST(Pacer, AbortIsSeenByEveryLaterStep) {
  Pacer pacer;
  pacer.abort();
  EXPECT_FALSE(pacer.pace(core::Clock::now(), 1e-6));
  EXPECT_FALSE(pacer.pace(core::Clock::now(), 3600));
  EXPECT_TRUE(pacer.aborted());
}

}  // namespace
}  // namespace switchyard::engine
