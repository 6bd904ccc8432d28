#include "calibration/measure/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/sim/sim_engine.h"

namespace switchyard::calibration {
namespace {

/// Steps of about 1 to 20 ms, so that a test takes seconds and a sleep is precise enough.
engine::SimOptions sim_options() {
  engine::SimOptions options;
  options.modes = {"slow", "fast"};
  options.mode_costs["slow"] = {.pass_us = 4000,
                                .prefill_token_us = 20,
                                .prefill_context_us = 10,
                                .decode_us = 500,
                                .decode_context_us = 1000};
  options.mode_costs["fast"] = {.pass_us = 2000,
                                .prefill_token_us = 30,
                                .prefill_context_us = 10,
                                .decode_us = 1000,
                                .decode_context_us = 1000};
  options.streams = 4;
  options.stream_capacity_tokens = 2048;
  return options;
}

/// Both lanes of one engine, measured once for all tests.
const Result<Measured>& measured() {
  static const auto engine = engine::make_sim_engine(sim_options());
  static const Result<Measured> result = [] {
    const Target targets[] = {{engine->get(), 0, 1.5}, {engine->get(), 1, 2.5}};
    return measure(targets, {.rounds = 3});
  }();
  return result;
}

class Measure : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(measured()) << measured().error().message;
    ASSERT_EQ(measured()->costs.size(), 2U);
  }
  const ModeCosts& slow_ = measured()->costs[0];
  const ModeCosts& fast_ = measured()->costs[1];
};

TEST_F(Measure, NamesModesInOrderWithTheirLoadTimes) {
  EXPECT_EQ(slow_.mode, "slow");
  EXPECT_EQ(fast_.mode, "fast");
  EXPECT_EQ(fast_.load_seconds, 2.5);
}

TEST_F(Measure, RecoversThePrefillTimesOfTheProfile) {
  EXPECT_NEAR(prefill_ms(slow_, 512, 0), 4 + 512 * (0.020 + 0.256 * 0.010), 0.7);
  EXPECT_NEAR(prefill_ms(slow_, 300, 1000), 4 + 300 * (0.020 + 1.15 * 0.010), 0.7);
  EXPECT_NEAR(prefill_ms(fast_, 1024, 0), 2 * 2 + 1024 * (0.030 + 0.512 * 0.010), 1.5);
  EXPECT_LT(slow_.fit_error, 0.1);
}

TEST_F(Measure, RecoversTheDecodeTimesOfTheProfile) {
  EXPECT_NEAR(decode_ms(slow_, 1, 512), 4 + 0.5 + 0.512, 0.4);
  EXPECT_NEAR(decode_ms(slow_, 4, 64), 4 + 4 * (0.5 + 0.064), 0.5);
  EXPECT_NEAR(decode_ms(fast_, 3, 256), 2 + 3 * (1 + 0.256), 0.5);
}

TEST_F(Measure, RecoversTheVerifyRatioOfTheProfile) {
  const double one = 4 + 0.5 + 0.512;
  EXPECT_NEAR(verify_ratio(slow_, 5), (4 + 5 * (0.020 + 0.514 * 0.010)) / one, 0.08);
  EXPECT_EQ(verify_ratio(slow_, 1), 1);
}

TEST_F(Measure, FindsThatASimulatedCopyIsFree) {
  ASSERT_TRUE(restore_ms(slow_, 1000));
  EXPECT_LT(*restore_ms(slow_, 1000), 0.5);
}

TEST_F(Measure, KeepsThePointsWithTheirSamples) {
  ASSERT_EQ(measured()->points.size(), 2U);
  EXPECT_EQ(measured()->points[1].mode, "fast");
  for (const Measurement& point : measured()->points[0].points) {
    EXPECT_GE(point.samples, 3U);
    EXPECT_TRUE(point.median_ms > 0 || point.what == "restore") << point.what;
  }
}

TEST(MeasureStops, WhenAsked) {
  const auto engine = engine::make_sim_engine({});
  ASSERT_TRUE(engine);
  const Target targets[] = {{engine->get(), 0, 0}};
  MeasureOptions options;
  options.stopped = [] { return true; };
  const auto result = measure(targets, options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, ::testing::HasSubstr("interrupted"));
}

TEST(MeasureRefuses, AContextTooShortForIt) {
  engine::SimOptions options;
  options.stream_capacity_tokens = 100;
  const auto engine = engine::make_sim_engine(options);
  ASSERT_TRUE(engine);
  const Target targets[] = {{engine->get(), 0, 0}};
  const auto result = measure(targets, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUsage);
}

TEST(MeasureProgress, GrowsToTheWhole) {
  engine::SimOptions sim;
  sim.streams = 2;
  const auto engine = engine::make_sim_engine(sim);
  ASSERT_TRUE(engine);
  const Target targets[] = {{engine->get(), 0, 0}};
  std::vector<double> fractions;
  MeasureOptions options;
  options.rounds = 1;
  options.progress = [&](double fraction) { fractions.push_back(fraction); };
  ASSERT_TRUE(measure(targets, options));
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_NEAR(fractions.back(), 1, 1e-9);
}

}  // namespace
}  // namespace switchyard::calibration
