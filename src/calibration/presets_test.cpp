#include "calibration/presets.h"

#include <gtest/gtest.h>

namespace switchyard::calibration {
namespace {

TEST(Presets, GiveThePublishedTimePerToken) {
  const auto a100 = preset("a100-llama8b");
  ASSERT_TRUE(a100);
  ASSERT_EQ(a100->modes.size(), 5U);
  EXPECT_EQ(a100->modes[0].mode, "fp16");
  EXPECT_NEAR(decode_ms(*find_mode(*a100, "fp16"), 1, 512), 19.75, 1e-9);
  EXPECT_NEAR(decode_ms(*find_mode(*a100, "fp16-graphs"), 1, 512), 14.65, 1e-9);
  EXPECT_NEAR(decode_ms(*find_mode(*a100, "int8"), 1, 512), 10.81, 1e-9);
  EXPECT_NEAR(decode_ms(*find_mode(*a100, "4bit"), 1, 512), 7.02, 1e-9);
  EXPECT_NEAR(decode_ms(*find_mode(*a100, "speculative"), 1, 512), 10.32, 1e-9);
}

// Eager took 33 ms for 512 tokens and 104 for 1,024: no sum of non-negative costs does.
TEST(Presets, MeetThePublishedTtftWithinTheStatedError) {
  const auto a100 = preset("a100-llama8b");
  ASSERT_TRUE(a100);
  EXPECT_NEAR(prefill_ms(*find_mode(*a100, "int8"), 2048, 0), 147, 147 * 0.2);
  EXPECT_NEAR(prefill_ms(*find_mode(*a100, "4bit"), 1024, 0), 123, 123 * 0.2);
  for (const ModeCosts& costs : a100->modes) EXPECT_LT(costs.fit_error, 0.4) << costs.mode;
}

TEST(Presets, ASharedPrefixLeavesThePublishedTtft) {
  const auto a100 = preset("a100-llama8b");
  ASSERT_TRUE(a100);
  for (const ModeCosts& costs : a100->modes) {
    EXPECT_NEAR(*restore_ms(costs, 4032) + prefill_ms(costs, 64, 4032), 52, 2) << costs.mode;
  }
}

TEST(Presets, SayThatTheyAreArithmetic) {
  EXPECT_TRUE(preset("a100-llama8b")->label.starts_with("preset arithmetic"));
}

TEST(Presets, AnUnknownNameIsNone) { EXPECT_FALSE(preset("h100")); }

}  // namespace
}  // namespace switchyard::calibration
