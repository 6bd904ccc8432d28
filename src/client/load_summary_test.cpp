#include "client/load_summary.h"

#include <gtest/gtest.h>

namespace switchyard::client {
namespace {

RequestRecord completed(double planned, double first_text, double end, std::int64_t tokens) {
  RequestRecord record;
  record.planned = planned;
  record.dispatched = planned;
  record.first_text = first_text;
  record.last_text = end;
  record.end = end;
  record.output_tokens = tokens;
  record.asked_output_tokens = static_cast<std::int32_t>(tokens);
  return record;
}

RequestRecord failed(Failure failure, double end) {
  RequestRecord record;
  record.failure = failure;
  record.end = end;
  record.detail = "why";
  return record;
}

LoadRun run_of(std::vector<RequestRecord> records) {
  LoadRun run;
  for (const auto& record : records) run.seconds = std::max(run.seconds, record.end);
  run.records = std::move(records);
  return run;
}

TEST(Distribution, InterpolatesBetweenRanks) {
  const auto d = distribution_of({4, 1, 3, 2});
  ASSERT_TRUE(d);
  EXPECT_DOUBLE_EQ(d->p50, 2.5);
  EXPECT_DOUBLE_EQ(d->p90, 3.7);
  EXPECT_DOUBLE_EQ(d->mean, 2.5);
  EXPECT_DOUBLE_EQ(d->max, 4);
  EXPECT_FALSE(distribution_of({}));
}

TEST(Summarize, LatencyCountsFromThePlannedTime) {
  auto record = completed(1.0, 2.5, 3.0, 2);
  record.dispatched = 2.0;
  const auto summary = summarize(run_of({record}), {});
  EXPECT_DOUBLE_EQ(summary.ttft_ms->mean, 1500);
  EXPECT_DOUBLE_EQ(summary.e2e_ms->mean, 2000);
  EXPECT_DOUBLE_EQ(summary.dispatch_lag_ms->mean, 1000);
}

TEST(Summarize, OneTokenHasNoTpot) {
  const auto summary = summarize(run_of({completed(0, 1, 1, 1)}), {});
  EXPECT_FALSE(summary.tpot_ms);
  EXPECT_TRUE(summary.ttft_ms);
}

TEST(Summarize, FailuresAreCountedByKindOutsideTheFigures) {
  const auto summary =
      summarize(run_of({completed(0, 1, 2, 10), failed(Failure::kCut, 50), failed(Failure::kCut, 1),
                        failed(Failure::kHttp429, 1), failed(Failure::kInterrupted, 1)}),
                {});
  EXPECT_EQ(summary.completed, 1);
  EXPECT_EQ(summary.failed, 3);
  EXPECT_EQ(summary.interrupted, 1);
  EXPECT_EQ(summary.failures[static_cast<std::size_t>(Failure::kCut)].count, 2);
  EXPECT_EQ(summary.failures[static_cast<std::size_t>(Failure::kCut)].first_detail, "why");
  EXPECT_DOUBLE_EQ(summary.e2e_ms->max, 2000);
  EXPECT_EQ(summary.output_tokens, 10);
}

TEST(Summarize, NothingCompletedGivesNoFiguresAndNoDivisionByZero) {
  const auto summary = summarize(run_of({failed(Failure::kConnect, 0)}), {.ttft_ms = 1});
  EXPECT_EQ(summary.output_tokens_per_second, 0);
  EXPECT_FALSE(summary.e2e_ms);
  EXPECT_EQ(*summary.goodput_fraction, 0);
  const auto nothing = summarize({}, {.ttft_ms = 1});
  EXPECT_FALSE(nothing.goodput_fraction);
}

TEST(Summarize, GoodputCountsRequestsWithinEveryLimitAgainstAllThatEnded) {
  auto slow_gap = completed(0, 0.1, 1, 4);
  slow_gap.gaps_ms = {10, 10, 500};
  auto good = completed(0, 0.1, 1, 4);
  good.gaps_ms = {10, 10, 10};
  const auto summary =
      summarize(run_of({good, slow_gap, completed(0, 0.9, 1, 4), failed(Failure::kTimeout, 2)}),
                {.ttft_ms = 500, .itl_ms = 100});
  EXPECT_DOUBLE_EQ(*summary.goodput_fraction, 0.25);
  EXPECT_DOUBLE_EQ(*summary.goodput_requests_per_second, 0.5);
}

TEST(Summarize, FlagsEstimatedAndUnexpectedLengths) {
  auto estimated = completed(0, 1, 2, 7);
  estimated.tokens_estimated = true;
  auto shorter = completed(0, 1, 2, 7);
  shorter.asked_output_tokens = 96;
  const auto summary = summarize(run_of({estimated, shorter, completed(0, 1, 2, 3)}), {});
  EXPECT_EQ(summary.estimated_requests, 1);
  EXPECT_EQ(summary.other_length_requests, 1);
}

}  // namespace
}  // namespace switchyard::client
