#include "engine/passes.h"

#include <gtest/gtest.h>

#include <string>
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

std::size_t count(const std::vector<std::pair<core::StreamId, int>>& streams) {
  return split_passes(plan_of(streams)).size();
}

TEST(Passes, AnEmptyPlanTakesNone) { EXPECT_EQ(count({}), 0U); }

TEST(Passes, ConsecutiveDecodesShareOne) { EXPECT_EQ(count({{0, 1}, {1, 1}, {2, 1}, {3, 1}}), 1U); }

TEST(Passes, AGapInTheStreamIdsSplits) { EXPECT_EQ(count({{0, 1}, {2, 1}, {3, 1}, {7, 1}}), 3U); }

TEST(Passes, APromptChunkBesideDecodesStaysWhole) {
  const auto passes = split_passes(plan_of({{0, 1}, {1, 1}, {2, 200}}));
  ASSERT_EQ(passes.size(), 2U);
  EXPECT_EQ(passes[0].size(), 2U);
  EXPECT_EQ(passes[1][0].first, 0);
  EXPECT_EQ(passes[1][0].count, 200);
}

TEST(Passes, AChunkBetweenDecodesClosesTheirGapWithItsFirstToken) {
  const auto passes = split_passes(plan_of({{0, 1}, {1, 200}, {2, 1}}));
  ASSERT_EQ(passes.size(), 2U);
  EXPECT_EQ(passes[0].size(), 3U);
  EXPECT_EQ(passes[1][0].first, 1);
  EXPECT_EQ(passes[1][0].count, 199);
}

TEST(Passes, NeighbouringChunksOfEqualLengthShareOne) {
  EXPECT_EQ(count({{3, 64}, {4, 64}}), 1U);
  EXPECT_EQ(count({{3, 64}, {4, 65}}), 2U);
  EXPECT_EQ(count({{3, 64}, {5, 64}}), 2U);
}

TEST(Passes, AChunkBetweenADecodeAndAChunkClosesNothing) {
  EXPECT_EQ(count({{0, 1}, {1, 64}, {2, 64}}), 2U);
}

/// Each pass as "stream:first+count" words.
std::vector<std::string> described(const std::vector<std::pair<core::StreamId, int>>& streams) {
  const auto plan = plan_of(streams);
  std::vector<std::string> result;
  for (const Pass& pass : split_passes(plan)) {
    std::string words;
    for (const PassPart& part : pass) {
      words += (words.empty() ? "" : " ") + std::to_string(plan.streams[part.entry].stream) + ":" +
               std::to_string(part.first) + "+" + std::to_string(part.count);
    }
    result.push_back(std::move(words));
  }
  return result;
}

using Words = std::vector<std::string>;

TEST(Passes, AChunkBetweenTwoDecodesIsOnePassOfThreeAndItsRest) {
  EXPECT_EQ(described({{0, 1}, {1, 64}, {2, 1}}), (Words{"0:0+1 1:0+1 2:0+1", "1:1+63"}));
}

TEST(Passes, EachRunOfStreamsIsClosedByItself) {
  EXPECT_EQ(described({{0, 1}, {1, 64}, {2, 1}, {5, 1}, {6, 64}, {7, 1}}),
            (Words{"0:0+1 1:0+1 2:0+1", "5:0+1 6:0+1 7:0+1", "1:1+63", "6:1+63"}));
}

TEST(Passes, AChunkBesideAMissingStreamClosesNothing) {
  EXPECT_EQ(described({{0, 1}, {2, 64}, {3, 1}}), (Words{"0:0+1", "3:0+1", "2:0+64"}));
}

TEST(Passes, AChunkAtEitherEndOfTheDecodesStaysWhole) {
  EXPECT_EQ(described({{0, 64}, {1, 1}, {2, 1}}), (Words{"1:0+1 2:0+1", "0:0+64"}));
  EXPECT_EQ(described({{0, 1}, {1, 1}, {2, 64}}), (Words{"0:0+1 1:0+1", "2:0+64"}));
}

TEST(Passes, EqualNeighboursBetweenDecodesShareAPassAndCloseNothing) {
  EXPECT_EQ(described({{0, 1}, {1, 64}, {2, 64}, {3, 1}}),
            (Words{"0:0+1", "3:0+1", "1:0+64 2:0+64"}));
}

TEST(Passes, ChunksThatAlternateWithDecodesCloseEveryGap) {
  EXPECT_EQ(described({{0, 1}, {1, 64}, {2, 1}, {3, 64}, {4, 1}}),
            (Words{"0:0+1 1:0+1 2:0+1 3:0+1 4:0+1", "1:1+63", "3:1+63"}));
}

TEST(Passes, EveryTokenIsEvaluatedOnceAndInOrder) {
  const auto plan = plan_of({{0, 1}, {1, 5}, {2, 1}, {3, 5}, {4, 1}, {7, 9}, {8, 9}, {9, 1}});
  std::vector<std::int32_t> next(plan.streams.size(), 0);
  for (const Pass& pass : split_passes(plan)) {
    for (const PassPart& part : pass) {
      EXPECT_EQ(part.count, pass.front().count);
      EXPECT_EQ(part.first, next[part.entry]);
      next[part.entry] += part.count;
    }
  }
  for (std::size_t i = 0; i < next.size(); ++i) {
    EXPECT_EQ(next[i], static_cast<std::int32_t>(plan.streams[i].tokens.size()));
  }
}

}  // namespace
}  // namespace switchyard::engine
