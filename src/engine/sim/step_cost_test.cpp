#include "engine/sim/step_cost.h"

#include <gtest/gtest.h>

namespace switchyard::engine {
namespace {

core::StreamTokens entry(core::StreamId stream, std::int32_t position, std::size_t tokens) {
  core::StreamTokens result;
  result.stream = stream;
  result.position = position;
  result.tokens.assign(tokens, 0);
  return result;
}

TEST(StepCost, AStepWithoutTokensCostsItsBase) {
  EXPECT_DOUBLE_EQ(step_seconds({.step_us = 7, .pass_us = 100}, {}), 7e-6);
}

TEST(StepCost, EachPassIsPaid) {
  core::BatchPlan plan;
  plan.streams = {entry(0, 0, 1), entry(5, 0, 1)};
  EXPECT_DOUBLE_EQ(step_seconds({.pass_us = 100}, plan), 200e-6);
}

TEST(StepCost, DecodingGrowsWithItsContext) {
  core::BatchPlan plan;
  plan.streams = {entry(0, 2000, 1)};
  EXPECT_DOUBLE_EQ(step_seconds({.decode_us = 10, .decode_context_us = 3}, plan), 16e-6);
}

TEST(StepCost, PrefillIsPaidByTokenAtItsMeanContext) {
  core::BatchPlan plan;
  plan.streams = {entry(0, 950, 101)};  // contexts 950 … 1050
  EXPECT_DOUBLE_EQ(step_seconds({.prefill_token_us = 2, .prefill_context_us = 1}, plan), 303e-6);
}

}  // namespace
}  // namespace switchyard::engine
