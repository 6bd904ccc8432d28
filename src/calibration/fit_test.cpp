#include "calibration/fit.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "calibration/samples.h"

namespace switchyard::calibration {
namespace {

constexpr std::int32_t kChunk = 512;
constexpr double kPass = 6.7;
constexpr double kPassContext = 0.02;
constexpr double kToken = 0.885;
constexpr double kAttention = 0.00043;

double true_ms(std::int32_t n, std::int32_t context) {
  return kPass + context * kPassContext + n * kToken + n * (context + n / 2.0) * kAttention;
}

std::vector<PrefillPoint> points() {
  std::vector<PrefillPoint> result;
  for (const std::int32_t context : {0, 512, 1408}) {
    for (const std::int32_t n : {64, 128, 256, 512}) {
      result.push_back({n, context, true_ms(n, context)});
    }
  }
  return result;
}

void expect_costs(const Fit& fit, double pass_share, double share) {
  EXPECT_NEAR(fit.coefficients[0], kPass, kPass * pass_share);
  EXPECT_NEAR(fit.coefficients[1], kPassContext, kPassContext * pass_share);
  EXPECT_NEAR(fit.coefficients[2], kToken, kToken * share);
  EXPECT_NEAR(fit.coefficients[3], kAttention, kAttention * share);
}

TEST(Fit, RecoversExactCosts) {
  const Fit fit = fit_prefill(points(), kChunk);
  expect_costs(fit, 1e-9, 1e-9);
  EXPECT_LT(fit.error, 1e-9);
}

TEST(Fit, RecoversCostsFromNoisySamplesWithPreemptions) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(1, 0.02);
  std::uniform_real_distribution<double> unit(0, 1);
  auto noisy = points();
  for (PrefillPoint& point : noisy) {
    std::vector<double> samples;
    for (int i = 0; i < 9; ++i) {
      const double preempted = unit(random) < 0.2 ? 1 + 2 * unit(random) : 1;
      samples.push_back(point.ms * noise(random) * preempted);
    }
    point.ms = summarize(samples).median;
  }
  const Fit fit = fit_prefill(noisy, kChunk);
  expect_costs(fit, 0.5, 0.05);
  EXPECT_LT(fit.error, 0.06);
}

TEST(Fit, IgnoresAPointFarOffTheOthersButReportsIt) {
  auto wrong = points();
  wrong[5].ms *= 3;
  const Fit fit = fit_prefill(wrong, kChunk);
  expect_costs(fit, 0.02, 0.02);
  EXPECT_NEAR(fit.error, 2.0 / 3, 0.02);
}

TEST(Fit, NeverMakesACostNegative) {
  // Steeper than proportional: a line through both would start below 0.
  const std::vector<FitRow> rows = {{{1, 512}, 33}, {{1, 1024}, 104}};
  const Fit fit = fit_nonnegative(rows);
  EXPECT_EQ(fit.coefficients[0], 0);
  EXPECT_GT(fit.coefficients[1], 0.05);
  EXPECT_GT(fit.error, 0.1);
}

TEST(Fit, OnePointIsExplainedByOneTerm) {
  const std::vector<FitRow> rows = {{{1, 100}, 20}};
  const Fit fit = fit_nonnegative(rows);
  EXPECT_NEAR(fit.coefficients[0] + 100 * fit.coefficients[1], 20, 1e-9);
  EXPECT_LT(fit.error, 1e-9);
}

TEST(Samples, MedianAndSpreadIgnoreAFewSlowSamples) {
  const Summary summary = summarize({10, 10.2, 90, 10.1, 9.9});
  EXPECT_DOUBLE_EQ(summary.median, 10.1);
  EXPECT_NEAR(summary.spread, 0.2 / 10.1, 1e-9);
  EXPECT_EQ(summary.count, 5U);
}

TEST(Samples, NoneIsZero) {
  EXPECT_EQ(summarize({}).median, 0);
  EXPECT_EQ(summarize({}).count, 0U);
}

}  // namespace
}  // namespace switchyard::calibration
