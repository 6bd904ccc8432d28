#include "router/length_distribution.h"

#include <gtest/gtest.h>

namespace switchyard::router {
namespace {

TEST(LengthDistribution, HasTheGivenQuantiles) {
  const LengthDistribution lengths = lengths_from_quantiles(100, 400, 10'000);
  EXPECT_FLOAT_EQ(lengths.p50(), 100);
  EXPECT_FLOAT_EQ(lengths.p90(), 400);
  EXPECT_FLOAT_EQ(lengths.tokens[0], 25);
}

TEST(LengthDistribution, IsCutAtMaxTokens) {
  const LengthDistribution lengths = lengths_from_quantiles(100, 400, 50);
  EXPECT_FLOAT_EQ(lengths.p50(), 50);
  EXPECT_FLOAT_EQ(lengths.tokens[0], 25);
  EXPECT_FLOAT_EQ(lengths.mean(), 45);  // 25, 50, 50, 50, 50
}

// (25² + 4 × 50²) / (2 × (25 + 4 × 50))
TEST(LengthDistribution, MeanContextWeighsEachTokenOnce) {
  EXPECT_FLOAT_EQ(lengths_from_quantiles(100, 400, 50).mean_context(), 10'625 / 450.0F);
  EXPECT_FLOAT_EQ(exact_length(64).mean_context(), 32);
}

TEST(LengthDistribution, TakesNonsenseAsOneToken) {
  EXPECT_FLOAT_EQ(lengths_from_quantiles(-3, -8, 0).mean(), 1);
  EXPECT_FLOAT_EQ(exact_length(0).mean(), 1);
}

}  // namespace
}  // namespace switchyard::router
