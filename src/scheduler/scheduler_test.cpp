#include "scheduler/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "engine/passes.h"
#include "scheduler/test_harness.h"

namespace switchyard::scheduler {
namespace {

using engine::split_passes;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Scheduler, NothingToDoIsNoPlan) {
  Harness h({lane_of(2)});
  EXPECT_TRUE(h.scheduler.idle());
  EXPECT_FALSE(h.scheduler.next_batch({}).has_value());
}

TEST(Scheduler, AWholePromptSamplesItsFirstTokenInTheSameStep) {
  Harness h({lane_of(2)});
  h.add(request(1, 10, 3));
  const auto plan = h.step();
  ASSERT_EQ(plan.starts.size(), 1U);
  EXPECT_EQ(plan.starts[0].keep_tokens, 0);
  EXPECT_THAT(shape(plan), ElementsAre(P{0, 10}));
  EXPECT_TRUE(plan.streams[0].sample);
}

TEST(Scheduler, DecodeEvaluatesTheLastSampledTokenAtItsPosition) {
  Harness h({lane_of(2)});
  h.add(request(1, 10, 3));
  h.step();
  const auto plan = h.step();
  EXPECT_EQ(plan.streams[0].position, 10);
  EXPECT_THAT(plan.streams[0].tokens, ElementsAre(42));
}

TEST(Scheduler, EndsAtMaxTokensWithLength) {
  Harness h({lane_of(1)});
  h.add(request(1, 4, 2));
  h.step();
  EXPECT_TRUE(h.ended.empty());
  h.step();
  ASSERT_EQ(h.ended.size(), 1U);
  EXPECT_EQ(h.ended[0].reason, core::FinishReason::kLength);
  EXPECT_TRUE(h.scheduler.idle());
}

TEST(Scheduler, EndsAtEndOfGenerationWithStopAlsoOnTheLastAllowedToken) {
  Harness h({lane_of(1)});
  h.ending = {1};
  h.add(request(1, 4, 1));
  h.step();
  ASSERT_EQ(h.ended.size(), 1U);
  EXPECT_EQ(h.ended[0].reason, core::FinishReason::kStop);
}

TEST(Scheduler, RefusesWhatCanNeverFitWithBothCounts) {
  Scheduler scheduler({}, {lane_of(4, 100)});
  const auto refused = scheduler.add(request(1, 90, 11));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kContextLengthExceeded);
  EXPECT_THAT(refused.error().message, HasSubstr("90 tokens"));
  EXPECT_THAT(refused.error().message, HasSubstr("100 tokens"));
  EXPECT_TRUE(scheduler.add(request(2, 90, 10)));
}

TEST(Scheduler, RefusesMoreThanThePool) {
  core::LaneInfo pooled = lane_of(4, 100);
  pooled.pool_capacity_tokens = 60;
  Scheduler scheduler({}, {pooled});
  EXPECT_FALSE(scheduler.add(request(1, 50, 11)));
  EXPECT_TRUE(scheduler.add(request(2, 50, 10)));
}

TEST(Scheduler, LongPromptIsPrefilledInChunksOfTheBudget) {
  Harness h({lane_of(2)});
  h.add(request(1, 1200, 2));
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 512}));
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 512}));
  const auto last = h.step();
  EXPECT_THAT(shape(last), ElementsAre(P{0, 176}));
  EXPECT_TRUE(last.streams[0].sample);
}

TEST(Scheduler, ChunksAreWholeTilesAndLeaveNoScrap) {
  core::LaneInfo tiled = lane_of(4, 1024);
  tiled.prefill_tile_tokens = 64;
  Options options;
  options.max_prefill_tokens = 200;
  Harness h({tiled}, options);
  h.add(request(1, 400, 1));
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 192}));
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 128}))
      << "192 would leave 16 tokens, far below a tile";
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 80}));
}

TEST(Scheduler, NoChunkBelowATileIsCutOffALongerPrompt) {
  core::LaneInfo tiled = lane_of(4, 1024);
  tiled.prefill_tile_tokens = 64;
  Options options;
  options.max_prefill_tokens = 100;
  options.max_step_tokens = 100;
  Harness h({tiled}, options);
  h.add(request(1, 50, 1));
  h.add(request(2, 300, 1));
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 50}))
      << "the 50 tokens left are no tile of request 2";
  EXPECT_THAT(shape(h.step()), ElementsAre(P{1, 64}));
}

TEST(Scheduler, WhileASequenceDecodesTheBudgetKeepsItsPace) {
  Options options;
  options.max_step_tokens = 160;
  options.max_step_cost = 1000;
  Harness h({lane_of(3)}, options);
  h.add(request(1, 10, 50));
  h.step();
  h.add(request(2, 1000, 2));
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 1}, P{1, 159}));
}

TEST(Scheduler, ASequenceThatDecodesInAnotherLaneKeepsItsPaceToo) {
  Options options;
  options.max_step_tokens = 160;
  Harness h({lane_of(1), lane_of(1)}, options);
  h.add(request(1, 10, 500, 0));
  h.step();
  h.add(request(2, 1000, 2, 1));
  core::BatchPlan plan;
  do plan = h.step();
  while (plan.lane == 0);
  EXPECT_THAT(shape(plan), ElementsAre(P{0, 160}));
}

TEST(Scheduler, TheEarliestPromptIsFinishedFirstAndTheRestGoesToTheNext) {
  Options options;
  options.max_step_cost = 1000;
  Harness h({lane_of(3)}, options);
  h.add(request(1, 300, 9));
  h.add(request(2, 300, 9));
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 300}, P{1, 212}));
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 1}, P{1, 88}));
}

TEST(Scheduler, NoPromptIsStartedForAChunkTooSmallToPay) {
  Harness h({lane_of(3)});
  h.add(request(1, 500, 9));
  h.add(request(2, 300, 9));
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 500}));
  EXPECT_EQ(h.scheduler.waiting(), 1U);
}

TEST(Scheduler, AMostlyCachedPromptIsStartedInTheRestOfABudget) {
  Harness h({lane_of(2)});
  h.add(request(1, 300, 1));
  h.step();
  h.add(request(2, 500, 9));
  auto next_turn = request(1, 305, 9);
  next_turn->id = 3;
  h.add(next_turn);
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 5}, P{1, 500}));
}

TEST(Scheduler, PrefillGetsItsShareWhenDecodesFillTheBudget) {
  Options options;
  options.max_step_tokens = 16;
  Harness h({lane_of(40)}, options);
  for (int i = 1; i <= 30; ++i) h.add(request(i, 4, 500));
  h.step();
  h.add(request(31, 100, 5));
  const auto plan = h.step();
  EXPECT_EQ(plan.streams.size(), 31U);
  EXPECT_EQ(plan.streams.back().tokens.size(), 32U);
}

TEST(Scheduler, TheHeadOfTheQueueBlocksSmallerRequestsBehindIt) {
  core::LaneInfo pooled = lane_of(4, 100);
  pooled.pool_capacity_tokens = 150;
  Harness h({pooled});
  h.add(request(1, 50, 40));
  h.add(request(2, 60, 30));
  h.add(request(3, 5, 2));
  h.step();
  EXPECT_EQ(h.scheduler.load(0).running, 1);
  h.cancel(1);
  h.step();
  EXPECT_EQ(h.scheduler.waiting(), 0U);
}

TEST(Scheduler, CancelFreesTheStreamForTheNextPlan) {
  Harness h({lane_of(1)});
  h.add(request(1, 10, 100));
  h.add(request(2, 10, 100));
  h.step();
  h.cancel(1);
  const auto plan = h.step();
  ASSERT_EQ(plan.starts.size(), 1U);
  EXPECT_EQ(plan.starts[0].request->id, 2U);
  EXPECT_FALSE(h.scheduler.cancel(1));
}

TEST(Scheduler, CancelDuringAStepDropsItsToken) {
  Harness h({lane_of(2)});
  h.add(request(1, 10, 1));
  const auto plan = *h.scheduler.next_batch({});
  const auto result = h.engine.step(plan, [](const core::Request&, int) { return 1; });
  EXPECT_TRUE(h.scheduler.cancel(1));
  EXPECT_TRUE(h.scheduler.on_step(result).ended.empty());
  EXPECT_TRUE(h.scheduler.idle());
}

TEST(Scheduler, AFailedStepEndsItsSequencesAndNoOthers) {
  Harness h({lane_of(1)});
  h.add(request(1, 10, 5));
  h.add(request(2, 10, 5));
  const auto plan = *h.scheduler.next_batch({});
  const auto report = h.scheduler.on_step(h.engine.fail(plan));
  ASSERT_EQ(report.ended.size(), 1U);
  EXPECT_EQ(report.ended[0].request, 1U);
  EXPECT_EQ(report.ended[0].reason, core::FinishReason::kError);
  EXPECT_THAT(shape(h.step()), ElementsAre(P{0, 10}));
}

TEST(Scheduler, AnAbortedStepIsPlannedAgain) {
  Harness h({lane_of(2)});
  h.add(request(1, 10, 5));
  const auto first = *h.scheduler.next_batch({});
  core::StepResult aborted;
  aborted.status = core::StepStatus::kAborted;
  EXPECT_TRUE(h.scheduler.on_step(aborted).ended.empty());
  const auto second = h.step();
  ASSERT_EQ(second.starts.size(), 1U);
  EXPECT_EQ(shape(second), shape(first));
}

TEST(Scheduler, NextTurnStartsBehindItsHistory) {
  Harness h({lane_of(4)});
  auto first = request(1, 100, 5);
  h.add(first);
  while (!h.scheduler.idle()) h.step();
  auto second = request(2, 1, 5);
  second->prompt = first->prompt;
  // The last sampled token was never evaluated: 4 of the 5 are in the stream.
  second->prompt.insert(second->prompt.end(), {42, 42, 42, 42, 42, 7, 8});
  h.add(second);
  const auto plan = h.step();
  EXPECT_EQ(plan.starts[0].keep_tokens, 104);
  EXPECT_THAT(shape(plan), ElementsAre(P{0, 3}));
}

TEST(Scheduler, ExpiresTheWaitingButNotTheRunning) {
  Harness h({lane_of(1)});
  h.add(request(1, 10, 100));
  h.add(request(2, 10, 100));
  h.step();
  const auto later = core::TimePoint(std::chrono::seconds(5));
  EXPECT_THAT(h.scheduler.expire_waiting(later), ElementsAre(2U));
  EXPECT_EQ(h.scheduler.load(0).running, 1);
}

TEST(Scheduler, LoadCountsWhatIsThere) {
  Harness h({lane_of(1, 500)});
  h.add(request(1, 10, 100));
  h.add(request(2, 10, 100));
  h.step();
  h.step();
  const auto load = h.scheduler.load(0);
  EXPECT_EQ(load.running, 1);
  EXPECT_EQ(load.waiting, 1);
  EXPECT_EQ(load.used_tokens, 11);
  EXPECT_EQ(load.pool_capacity_tokens, 500);
}

TEST(Scheduler, APooledLaneGivesUpKeptTokensForRunningOnes) {
  core::LaneInfo pooled = lane_of(4, 100);
  pooled.pool_capacity_tokens = 150;
  Harness h({pooled});
  h.add(request(1, 80, 1));
  h.step();
  h.add(request(2, 50, 5));
  EXPECT_THAT(h.step().drops, ElementsAre());
  h.add(request(3, 10, 10));
  EXPECT_THAT(h.step().drops, ElementsAre(0));
}

/// Steps and tokens of each lane over a while in which both have work.
struct Share {
  std::int64_t charge[2] = {0, 0};
  int longest_wait = 0;
};

Share run_two_lanes(Harness& h, int steps) {
  Share share;
  int waited[2] = {0, 0};
  for (int i = 0; i < steps; ++i) {
    const auto plan = h.step();
    share.charge[plan.lane] += Options{}.step_overhead_tokens;
    for (const auto& s : plan.streams) share.charge[plan.lane] += std::ssize(s.tokens);
    waited[plan.lane] = 0;
    share.longest_wait = std::max(share.longest_wait, ++waited[1 - plan.lane]);
  }
  return share;
}

TEST(SchedulerLanes, ShareTheDeviceWithinOneStepsCharge) {
  Harness h({lane_of(16, 100'000), lane_of(16, 100'000)});
  for (int i = 1; i <= 16; ++i) h.add(request(i, 10, 5000, 0));
  for (int i = 17; i <= 20; ++i) h.add(request(i, 9000, 5000, 1));
  const Share share = run_two_lanes(h, 600);
  const std::int64_t largest_charge = 512 + Options{}.step_overhead_tokens;
  EXPECT_LE(std::abs(share.charge[0] - share.charge[1]), largest_charge);
  EXPECT_LE(share.longest_wait, largest_charge / Options{}.step_overhead_tokens);
}

TEST(SchedulerLanes, IdlenessEarnsNoCreditAndNoDebt) {
  Harness h({lane_of(4, 100'000), lane_of(4, 100'000)});
  h.add(request(1, 10, 5000, 0));
  for (int i = 0; i < 1000; ++i) h.step();
  h.add(request(2, 10, 5000, 1));
  const Share late = run_two_lanes(h, 100);
  EXPECT_LE(std::abs(late.charge[0] - late.charge[1]), 20);
  h.cancel(1);
  for (int i = 0; i < 1000; ++i) h.step();
  h.add(request(3, 10, 3000, 0));
  const Share back = run_two_lanes(h, 100);
  EXPECT_LE(std::abs(back.charge[0] - back.charge[1]), 30);
}

TEST(SchedulerDeathTest, OnePlanAtATime) {
  Scheduler scheduler({}, {lane_of(1)});
  ASSERT_TRUE(scheduler.add(request(1, 10, 5)));
  ASSERT_TRUE(scheduler.next_batch({}));
  EXPECT_DEATH((void)scheduler.next_batch({}), "before on_step");
}

}  // namespace
}  // namespace switchyard::scheduler
