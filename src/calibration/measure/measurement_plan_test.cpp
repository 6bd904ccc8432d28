#include "calibration/measure/measurement_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace switchyard::calibration {
namespace {

void expect_fits(const MeasurementPlan& plan, const PlanLimits& limits) {
  std::int32_t previous = limits.capacity_tokens;
  for (const Phase& phase : plan.phases) {
    EXPECT_LE(phase.context, previous) << "streams cannot grow again";
    previous = phase.context;
    for (const Point& point : phase.points) {
      EXPECT_EQ(point.context, phase.context);
      EXPECT_LE(point.batch, limits.streams);
      EXPECT_LE(point.context + point.tokens, limits.capacity_tokens);
    }
  }
}

TEST(MeasurementPlan, CoversFourContextsAndBatchesUpToTheStreams) {
  const PlanLimits limits = {.streams = 16, .capacity_tokens = 2048, .chunk_tokens = 512};
  const MeasurementPlan plan = plan_measurements(limits);
  expect_fits(plan, limits);
  ASSERT_EQ(plan.phases.size(), 4U);
  const auto has = [&](std::size_t phase, const Point& point) {
    const auto& points = plan.phases[phase].points;
    return std::count(points.begin(), points.end(), point) == 1;
  };
  EXPECT_TRUE(has(0, {What::kPrefill, 1, 512, 1536}));
  EXPECT_TRUE(has(0, {What::kDecode, 16, 1, 1536}));
  EXPECT_TRUE(has(0, {What::kRestore, 1, 0, 1536}));
  EXPECT_TRUE(has(1, {What::kDecode, 2, 1, 512}));
  EXPECT_TRUE(has(1, {What::kVerify, 1, 5, 512}));
  EXPECT_TRUE(has(2, {What::kDecode, 1, 1, 64}));
  EXPECT_TRUE(has(3, {What::kPrefill, 1, 64, 0}));
}

TEST(MeasurementPlan, FitsIntoShortContextsAndFewStreams) {
  for (const std::int32_t capacity : {128, 200, 512, 8192}) {
    for (const std::int32_t streams : {1, 3, 40}) {
      const PlanLimits limits = {.streams = streams, .capacity_tokens = capacity};
      expect_fits(plan_measurements(limits), limits);
    }
  }
}

TEST(MeasurementPlan, CopiesNothingWhereThereIsOneStream) {
  for (const Phase& phase : plan_measurements({.streams = 1, .capacity_tokens = 2048}).phases) {
    for (const Point& point : phase.points) EXPECT_NE(point.what, What::kRestore);
  }
}

}  // namespace
}  // namespace switchyard::calibration
