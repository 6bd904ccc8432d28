#include "calibration/calibration.h"

#include <gtest/gtest.h>

namespace switchyard::calibration {
namespace {

// decode_ms = 5 + 2 × batch + context / 100 at every measured point.
ModeCosts example() {
  ModeCosts costs;
  costs.mode = "bf16";
  costs.prefill_pass_ms = 10;
  costs.prefill_token_ms = 1;
  costs.prefill_attention_ms = 0.01;
  costs.prefill_chunk_tokens = 100;
  costs.decode_batches = {1, 4, 16};
  costs.decode_contexts = {0, 1000};
  costs.decode_table_ms = {7, 17, 13, 23, 37, 47};
  costs.verify_ratios = {{1, 1}, {2, 1.5}, {4, 2}};
  return costs;
}

TEST(Calibration, PrefillPaysAPassPerChunkAndAttentionForWhatIsBefore) {
  EXPECT_DOUBLE_EQ(prefill_ms(example(), 100, 0), 10 + 100 + 100 * 50 * 0.01);
  EXPECT_DOUBLE_EQ(prefill_ms(example(), 101, 0), 20 + 101 + 101 * 50.5 * 0.01);
  EXPECT_DOUBLE_EQ(prefill_ms(example(), 1, 1000), 10 + 1 + 1000.5 * 0.01);
  EXPECT_DOUBLE_EQ(prefill_ms(example(), 0, 1000), 0);
}

TEST(Calibration, EveryPassReadsTheContextBeforeIt) {
  ModeCosts costs = example();
  costs.prefill_pass_context_ms = 0.1;
  EXPECT_DOUBLE_EQ(prefill_ms(costs, 300, 7) - prefill_ms(example(), 300, 7),
                   (7 + 107 + 207) * 0.1);
}

TEST(Calibration, PrefillInTwoPartsAttendsToAsMuchAsInOne) {
  const ModeCosts costs = example();
  EXPECT_NEAR(prefill_ms(costs, 100, 0) + prefill_ms(costs, 100, 100), prefill_ms(costs, 200, 0),
              1e-9);
}

TEST(Calibration, DecodeIsExactAtMeasuredPointsAndLinearBetween) {
  EXPECT_DOUBLE_EQ(decode_ms(example(), 1, 0), 7);
  EXPECT_DOUBLE_EQ(decode_ms(example(), 16, 1000), 47);
  EXPECT_DOUBLE_EQ(decode_ms(example(), 4, 500), 18);
  EXPECT_DOUBLE_EQ(decode_ms(example(), 10, 250), 27.5);
}

TEST(Calibration, DecodeContinuesLinearlyOutsideTheTable) {
  EXPECT_DOUBLE_EQ(decode_ms(example(), 32, 0), 69);
  EXPECT_DOUBLE_EQ(decode_ms(example(), 32, 2000), 89);
}

TEST(Calibration, DecodeIsNeverNegative) {
  ModeCosts costs = example();
  costs.decode_table_ms = {7, 1, 13, 2, 37, 3};  // noise made longer contexts cheaper
  EXPECT_DOUBLE_EQ(decode_ms(costs, 1, 4000), 0);
}

TEST(Calibration, OneMeasuredPointHoldsEverywhere) {
  ModeCosts costs;
  costs.decode_batches = {1};
  costs.decode_contexts = {512};
  costs.decode_table_ms = {8};
  EXPECT_DOUBLE_EQ(decode_ms(costs, 7, 2000), 8);
  EXPECT_DOUBLE_EQ(verify_ms(costs, 5, 0), 8);
}

TEST(Calibration, VerifyRatioIsLinearBetweenPointsAndBeyond) {
  EXPECT_DOUBLE_EQ(verify_ratio(example(), 1), 1);
  EXPECT_DOUBLE_EQ(verify_ratio(example(), 3), 1.75);
  EXPECT_DOUBLE_EQ(verify_ratio(example(), 8), 3);
  EXPECT_DOUBLE_EQ(verify_ms(example(), 2, 0), 10.5);
}

TEST(Calibration, RestoreIsUnknownUntilMeasured) {
  ModeCosts costs = example();
  EXPECT_FALSE(restore_ms(costs, 10));
  costs.restore_fixed_ms = 0.5;
  costs.restore_token_ms = 0.01;
  EXPECT_DOUBLE_EQ(*restore_ms(costs, 100), 1.5);
}

TEST(Calibration, FindsAModeByName) {
  Calibration calibration;
  calibration.modes = {example()};
  EXPECT_EQ(find_mode(calibration, "bf16"), &calibration.modes[0]);
  EXPECT_EQ(find_mode(calibration, "q8_0"), nullptr);
}

}  // namespace
}  // namespace switchyard::calibration
