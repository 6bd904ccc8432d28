// What a plan does about idle streams between running ones: moves, padding, or nothing.
#include "engine/passes.h"
#include "scheduler/test_harness.h"

namespace switchyard::scheduler {
namespace {

using engine::split_passes;
using testing::ElementsAre;

Options without_moves() {
  Options options;
  options.moves_streams = false;
  return options;
}

TEST(StreamGaps, ASequenceMovesIntoTheGapOfAnother) {
  Harness h({lane_of(8)});
  for (int i = 1; i <= 6; ++i) h.add(request(i, 5, 50));
  h.step();
  h.cancel(3);
  h.cancel(4);
  const auto first = h.step();
  EXPECT_THAT(shape(first), ElementsAre(P{0, 1}, P{1, 1}, P{2, 1}, P{3, -1}, P{4, 1}));
  ASSERT_EQ(first.moves.size(), 1U);
  EXPECT_EQ(first.moves[0].from, 5);
  EXPECT_EQ(first.moves[0].to, 2);
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 1}, P{1, 1}, P{2, 1}, P{3, 1}));
  EXPECT_TRUE(h.step().moves.empty());
}

TEST(StreamGaps, AGapThatAWaitingSequenceFillsIsLeftToIt) {
  Harness h({lane_of(3)});
  for (int i = 1; i <= 4; ++i) h.add(request(i, 5, 50));
  h.step();
  h.cancel(2);
  const auto plan = h.step();
  EXPECT_TRUE(plan.moves.empty());
  EXPECT_THAT(shape(plan), ElementsAre(P{0, 1}, P{1, 5}, P{2, 1}));
}

TEST(StreamGaps, AShortGapBetweenDecodesIsPaddedToOnePass) {
  Harness h({lane_of(8)}, without_moves());
  for (int i = 1; i <= 6; ++i) h.add(request(i, 5, 50));
  h.step();
  h.cancel(3);
  h.cancel(4);
  const auto plan = h.step();
  EXPECT_THAT(shape(plan), ElementsAre(P{0, 1}, P{1, 1}, P{2, -1}, P{3, -1}, P{4, 1}, P{5, 1}));
  EXPECT_EQ(split_passes(plan).size(), 1U);
}

TEST(StreamGaps, ALongGapIsNotPadded) {
  Harness h({lane_of(8)}, without_moves());
  for (int i = 1; i <= 7; ++i) h.add(request(i, 5, 50));
  h.step();
  for (int i = 2; i <= 6; ++i) h.cancel(i);
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 1}, P{6, 1}));
}

TEST(StreamGaps, AGapToALonePromptChunkIsNotPaddedSinceItSavesNoPass) {
  Harness h({lane_of(8)});
  auto first = request(1, 40, 2);
  for (int i = 2; i <= 4; ++i) h.add(request(i, 5, 50));
  h.add(first);
  while (h.ended.empty()) h.step();
  h.cancel(4);  // streams 0 and 1 decode, 2 is empty, 3 holds the history
  auto next = request(5, 1, 5);
  next->prompt = first->prompt;
  next->prompt.insert(next->prompt.end(), 20, 3);
  h.add(next);
  const auto plan = h.step();
  EXPECT_THAT(shape(plan), ElementsAre(P{0, 1}, P{1, 1}, P{3, 20}));
  EXPECT_EQ(split_passes(plan).size(), 2U);
}

}  // namespace
}  // namespace switchyard::scheduler
