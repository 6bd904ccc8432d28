#include "engine/count_passes.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace switchyard::engine {
namespace {

core::BatchPlan plan_of(const std::vector<std::pair<core::StreamId, int>>& streams) {
  core::BatchPlan plan;
  for (const auto& [stream, tokens] : streams) {
    core::StreamTokens entry;
    entry.stream = stream;
    entry.tokens.assign(static_cast<std::size_t>(tokens), 0);
    plan.streams.push_back(std::move(entry));
  }
  return plan;
}

TEST(CountPasses, AnEmptyPlanTakesNone) { EXPECT_EQ(count_passes(plan_of({})), 0); }

TEST(CountPasses, ConsecutiveStreamsWithEqualCountsShareOne) {
  EXPECT_EQ(count_passes(plan_of({{0, 1}, {1, 1}, {2, 1}, {3, 1}})), 1);
}

TEST(CountPasses, AGapInTheStreamIdsSplits) {
  EXPECT_EQ(count_passes(plan_of({{0, 1}, {2, 1}, {3, 1}, {7, 1}})), 3);
}

TEST(CountPasses, DecodesBesideAPromptChunkTakeTwo) {
  EXPECT_EQ(count_passes(plan_of({{0, 1}, {1, 1}, {2, 200}})), 2);
}

TEST(CountPasses, AChunkBetweenDecodesStillTakesTwo) {
  EXPECT_EQ(count_passes(plan_of({{0, 1}, {1, 200}, {2, 1}})), 2);
}

TEST(CountPasses, RestsOfDifferentLengthBecomeFurtherPasses) {
  EXPECT_EQ(count_passes(plan_of({{0, 1}, {1, 5}, {2, 9}})), 3);
}

TEST(CountPasses, RestsThatAreNoLongerNeighboursRunApart) {
  EXPECT_EQ(count_passes(plan_of({{0, 5}, {1, 1}, {2, 5}})), 3);
}

TEST(CountPasses, FourVerificationsInScatteredSlotsAmongDecodesTakeFive) {
  EXPECT_EQ(count_passes(plan_of({{0, 1}, {1, 5}, {2, 1}, {3, 5}, {4, 1}, {5, 5}, {6, 1}, {7, 5}})),
            5);
}

}  // namespace
}  // namespace switchyard::engine
