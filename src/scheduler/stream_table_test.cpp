#include "scheduler/stream_table.h"

#include <gtest/gtest.h>

#include "prefix/test_tokens.h"

namespace switchyard::scheduler {
namespace {

using prefix::join;
using prefix::range;
using prefix::Tokens;

StreamTable::Choice choose(const StreamTable& table, const Tokens& prompt) {
  return table.choose(prompt, "");
}

void take(StreamTable& table, core::StreamId stream) {
  table.acquire({stream, 0, core::OwnStream{}}, range(0, 1), "");
}

/// A conversation of these tokens was in the stream and has ended.
void leave(StreamTable& table, core::StreamId stream, const Tokens& content) {
  take(table, stream);
  table.append(stream, content);
  table.release(stream);
}

TEST(StreamTable, FirstSequenceTakesTheLowestStream) {
  StreamTable table(4, 100);
  EXPECT_EQ(choose(table, range(0, 10)).stream, 0);
}

TEST(StreamTable, NextTurnContinuesInTheStreamWithItsHistory) {
  StreamTable table(4, 1000);
  leave(table, 0, range(0, 50));
  leave(table, 2, range(500, 50));
  const auto choice = choose(table, join(range(500, 50), range(900, 20)));
  EXPECT_EQ(choice.stream, 2);
  EXPECT_EQ(choice.keep_tokens, 50);
}

TEST(StreamTable, PrefersTheLongestOfSeveralHits) {
  StreamTable table(3, 1000);
  leave(table, 0, range(0, 130));
  leave(table, 1, range(0, 200));
  leave(table, 2, range(0, 160));
  EXPECT_EQ(choose(table, range(0, 300)).stream, 1);
}

TEST(StreamTable, OfEqualHitsTakesTheOldest) {
  StreamTable table(3, 1000);
  for (int i : {2, 0, 1}) leave(table, i, range(0, 40));
  EXPECT_EQ(choose(table, range(0, 100)).stream, 2);
}

TEST(StreamTable, WhollyCachedPromptKeepsAllButOneToken) {
  StreamTable table(2, 1000);
  leave(table, 0, range(0, 200));
  EXPECT_EQ(choose(table, range(0, 150)).keep_tokens, 149);
}

TEST(StreamTable, PromptOfOneTokenKeepsNothing) {
  StreamTable table(1, 1000);
  leave(table, 0, range(0, 200));
  EXPECT_EQ(choose(table, range(0, 1)).keep_tokens, 0);
}

TEST(StreamTable, PrefixesAreComparedTokenByTokenAroundTheBlockSize) {
  for (const int shared : {1, 63, 64, 65, 127, 128, 129}) {
    StreamTable table(1, 1000);
    leave(table, 0, join(range(0, shared), range(7000, 10)));
    const auto choice = choose(table, join(range(0, shared), range(9000, 90)));
    EXPECT_EQ(choice.keep_tokens, shared);
  }
}

TEST(StreamTable, AShortSharedStartDoesNotCostALongConversationItsStream) {
  StreamTable table(3, 4000);
  leave(table, 0, join(range(0, 30), range(1000, 2000)));
  EXPECT_EQ(choose(table, join(range(0, 30), range(5000, 20))).stream, 1);
}

TEST(StreamTable, WithoutAHitTakesTheEmptyStreamNextToABusyOne) {
  StreamTable table(6, 100);
  take(table, 3);
  EXPECT_EQ(choose(table, range(0, 10)).stream, 2);
  take(table, 2);
  leave(table, 1, range(50, 10));
  EXPECT_EQ(choose(table, range(0, 10)).stream, 4);
}

TEST(StreamTable, WithoutAnEmptyStreamTheRecentlyUsedHalfIsSafe) {
  StreamTable table(5, 100);
  take(table, 0);
  for (int i : {4, 3, 2, 1}) leave(table, i, range(100 * i, 10));
  // 1 is next to the busy stream, but 1 and 2 are the conversations most likely to come back.
  EXPECT_EQ(choose(table, range(9000, 10)).stream, 3);
}

TEST(StreamTable, AForgottenStreamIsNeverAHitNorPadded) {
  StreamTable table(1, 100);
  leave(table, 0, range(0, 50));
  EXPECT_TRUE(table.can_pad(0));
  table.forget(0);
  EXPECT_FALSE(table.can_pad(0));
  EXPECT_EQ(choose(table, range(0, 50)).keep_tokens, 0);
  leave(table, 0, range(0, 50));
  EXPECT_TRUE(table.can_pad(0));
}

TEST(StreamTable, AFullStreamTakesNoPadding) {
  StreamTable table(1, 50);
  leave(table, 0, range(0, 50));
  EXPECT_FALSE(table.can_pad(0));
}

TEST(StreamTable, CountsIdleTokensAndForgetsTheOldest) {
  StreamTable table(3, 100);
  leave(table, 1, range(0, 10));
  leave(table, 0, range(0, 20));
  EXPECT_EQ(table.idle_tokens(), 30);
  EXPECT_TRUE(table.forget_oldest());
  EXPECT_EQ(table.idle_tokens(), 20);
  table.acquire({0, 5, core::OwnStream{}}, range(0, 6), "");
  EXPECT_EQ(table.idle_tokens(), 0);
  EXPECT_FALSE(table.forget_oldest());
}

}  // namespace
}  // namespace switchyard::scheduler
