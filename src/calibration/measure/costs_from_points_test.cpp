#include "calibration/measure/costs_from_points.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace switchyard::calibration {
namespace {

constexpr std::int32_t kChunk = 512;

/// A machine: pass 5 ms, 1 ms and 0.0004 ms per context token for a prompt token, half of that for
/// a decoding one; copies 0.2 ms + 0.004 ms per token.
double true_ms(const Point& point) {
  const double n = point.tokens;
  switch (point.what) {
    case What::kPrefill:
      return 5 + n + n * (point.context + n / 2) * 0.0004;
    case What::kDecode:
      return 5 + point.batch * (0.5 + point.context * 0.001);
    case What::kVerify:
      return (4 + n) / 5 * true_ms({What::kDecode, 1, 1, point.context});
    case What::kRestore:
      return 0.2 + point.context * 0.004;
  }
  return 0;
}

/// 15 samples of each point with 3 % of noise; one in ten is hit by something else that runs.
std::vector<TimedPoint> noisy_points(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(1, 0.03);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<TimedPoint> timed;
  const auto plan =
      plan_measurements({.streams = 16, .capacity_tokens = 2048, .chunk_tokens = kChunk});
  for (const Phase& phase : plan.phases) {
    for (const Point& point : phase.points) {
      std::vector<double> samples;
      for (int i = 0; i < 15; ++i) {
        const double hit = unit(random) < 0.1 ? 1 + 3 * unit(random) : 1;
        samples.push_back(true_ms(point) * noise(random) * hit);
      }
      timed.push_back({point, summarize(samples)});
    }
  }
  return timed;
}

TEST(CostsFromPoints, RecoverAMachineThroughNoiseAndPreemption) {
  for (const std::uint32_t seed : {1U, 2U, 3U, 4U, 5U}) {
    ModeCosts costs;
    set_costs(noisy_points(seed), kChunk, costs);
    EXPECT_NEAR(prefill_ms(costs, 512, 0), true_ms({What::kPrefill, 1, 512, 0}), 20);
    EXPECT_NEAR(prefill_ms(costs, 100, 700), true_ms({What::kPrefill, 1, 100, 700}), 7);
    for (const std::int32_t batch : {1, 6, 16}) {
      const double expected = true_ms({What::kDecode, batch, 1, 700});
      EXPECT_NEAR(decode_ms(costs, batch, 700), expected, expected * 0.05);
    }
    EXPECT_NEAR(verify_ratio(costs, 5), 9.0 / 5, 0.1);
    EXPECT_NEAR(*restore_ms(costs, 1000), 4.2, 0.4);
    EXPECT_LT(costs.fit_error, 0.08);
    EXPECT_GT(costs.spread, 0.01);
  }
}

TEST(CostsFromPoints, LeaveRestoreUnknownWhereNothingWasCopied) {
  ModeCosts costs;
  set_costs(std::vector<TimedPoint>{{{What::kDecode, 1, 1, 0}, {.median = 5, .count = 3}}}, kChunk,
            costs);
  EXPECT_FALSE(restore_ms(costs, 10));
  EXPECT_DOUBLE_EQ(decode_ms(costs, 1, 0), 5);
}

TEST(CostsFromPoints, TakeACopyThatIsFasterThanNoiseAsFree) {
  ModeCosts costs;
  set_costs(std::vector<TimedPoint>{{{What::kRestore, 1, 0, 64}, {.median = -0.01, .count = 3}}},
            kChunk, costs);
  EXPECT_DOUBLE_EQ(*restore_ms(costs, 1000), 0);
}

}  // namespace
}  // namespace switchyard::calibration
