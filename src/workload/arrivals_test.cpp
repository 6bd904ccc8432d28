#include "workload/arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace switchyard::workload {
namespace {

TEST(Arrivals, ConstantArrivalsAreEvenlySpaced) {
  const auto arrivals = constant_arrivals(3, 5);
  ASSERT_TRUE(arrivals);
  EXPECT_EQ(*arrivals, (Arrivals{0, 0.2, 0.4}));
}

TEST(Arrivals, PoissonGapsHaveTheirMeanAndSpread) {
  const auto arrivals = poisson_arrivals(20'000, 4, 7);
  ASSERT_TRUE(arrivals);
  EXPECT_TRUE(std::is_sorted(arrivals->begin(), arrivals->end()));
  EXPECT_NEAR(arrivals->back() / 20'000, 0.25, 0.01);
  double squares = 0;
  for (std::size_t i = 1; i < arrivals->size(); ++i) {
    squares += std::pow((*arrivals)[i] - (*arrivals)[i - 1], 2);
  }
  EXPECT_NEAR(squares / 20'000, 2 * 0.25 * 0.25, 0.01);  // E[x²] = 2 / rate²
}

TEST(Arrivals, PoissonIsAFunctionOfTheSeed) {
  EXPECT_EQ(*poisson_arrivals(10, 1, 3), *poisson_arrivals(10, 1, 3));
  EXPECT_NE(*poisson_arrivals(10, 1, 3), *poisson_arrivals(10, 1, 4));
}

TEST(Arrivals, SpeedShrinksATrace) {
  const std::vector<TraceRow> rows = {{0, 1, 1, {}}, {10, 1, 1, {}}};
  EXPECT_EQ(*trace_arrivals(rows, 4), (Arrivals{0, 2.5}));
  EXPECT_LT((*trace_arrivals(rows, 1e9)).back(), 1e-6);
}

TEST(Arrivals, RefusesSpeedsAndRatesThatAreNotPositiveNumbers) {
  const std::vector<TraceRow> rows = {{0, 1, 1, {}}};
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(trace_arrivals(rows, bad).error().code, ErrorCode::kUsage);
    EXPECT_EQ(poisson_arrivals(1, bad, 0).error().code, ErrorCode::kUsage);
    EXPECT_EQ(constant_arrivals(1, bad).error().code, ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace switchyard::workload
