#include "router/cost.h"

#include <gtest/gtest.h>

namespace switchyard::router {
namespace {

// 100 tokens at 8 ms, nobody beside.
TEST(Cost, AloneIsTheRequestsOwnTime) {
  Cost cost;
  add_prefill({.plain_ms = 8}, 50, 1, cost);
  add_plain_decode({.plain_ms = 8}, 100, cost);
  EXPECT_FLOAT_EQ(cost.own_ms(), 850);
  EXPECT_FLOAT_EQ(cost.neighbours_ms, 0);
}

// A lane of 4 goes from 14 to 16 ms beside another lane's 10 ms and 3 sequences: own 100 × 26,
// others 7 × (50 prefill + 100 × 2).
TEST(Cost, CountsTheDelayOfAllNeighbours) {
  const Round round = {.others_ms = 10, .before_ms = 14, .plain_ms = 16, .neighbours = 7};
  Cost cost;
  add_prefill(round, 50, 2, cost);
  EXPECT_FLOAT_EQ(cost.prefill_ms, 50 + 2 * 24);
  add_plain_decode(round, 100, cost);
  EXPECT_FLOAT_EQ(cost.decode_ms, 2600);
  EXPECT_FLOAT_EQ(cost.neighbours_ms, 7 * (50 + 200));
}

TEST(Cost, ExpectedTokensOfAVerification) {
  EXPECT_FLOAT_EQ(expected_tokens(0.5, 3), 1.875);
  EXPECT_FLOAT_EQ(expected_tokens(1, 4), 5);
  EXPECT_FLOAT_EQ(expected_tokens(0, 4), 1);
}

// E / (γ q + r(γ+1)): 3 / (4 × 0.25 + 1.5)
TEST(Cost, GainAloneIsTheSpeculationGate) {
  const Verification verification = {.pass_ms = 4 * 2 + 1.5 * 8, .tokens = 3};
  EXPECT_FLOAT_EQ(speculation_gain({.plain_ms = 8}, verification), 1.2);
  EXPECT_FLOAT_EQ(speculation_slowdown({.plain_ms = 8}, verification), 1.5);
}

// Half of the tokens at 8 ms, half at 12 / 3: 6 ms instead of 8.
TEST(Cost, TokensWithoutADraftTakeAPlainStep) {
  const Verification verification = {.pass_ms = 12, .tokens = 3, .coverage = 0.5};
  EXPECT_FLOAT_EQ(speculation_gain({.plain_ms = 8}, verification), 8.0F / 6);
  Cost cost;
  add_speculative_decode({.plain_ms = 8}, verification, 100, cost);
  EXPECT_FLOAT_EQ(cost.decode_ms, 600);
  EXPECT_FLOAT_EQ(speculation_gain({.plain_ms = 8}, {.pass_ms = 12, .tokens = 3, .coverage = 0}),
                  1);
}

// Beside a step of 14 ms each verification is a pass of its own: 100 / 4 rounds of 14 + 12.
TEST(Cost, AVerificationDelaysNeighboursByItsPass) {
  const Round round = {.before_ms = 14, .plain_ms = 16, .neighbours = 4};
  Cost cost;
  add_speculative_decode(round, {.pass_ms = 12, .tokens = 4}, 100, cost);
  EXPECT_FLOAT_EQ(cost.decode_ms, 25 * 26);
  EXPECT_FLOAT_EQ(cost.neighbours_ms, 25 * 4 * 12);
}

// 16 streams each end after 100 rounds of 20 ms: one every 125 ms; third in the queue.
TEST(Cost, TheQueueMovesAsSequencesEnd) {
  EXPECT_FLOAT_EQ(queue_wait_ms(3, 16, 100, 20), 375);
  EXPECT_FLOAT_EQ(queue_wait_ms(0, 16, 100, 20), 0);
}

}  // namespace
}  // namespace switchyard::router
