#include "engine/llama/logprobs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace switchyard::engine {
namespace {

TEST(Logprobs, SumToOne) {
  const std::vector<float> logits = {1.0F, 2.0F, 3.0F, -4.0F};
  const float log_sum = log_sum_exp(logits);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - log_sum);
  EXPECT_NEAR(sum, 1.0, 1e-6);
}

TEST(Logprobs, LargeLogitsDoNotOverflow) {
  EXPECT_NEAR(log_sum_exp(std::vector<float>{1000.0F, 1000.0F}), 1000 + std::log(2.0), 1e-3);
}

TEST(Logprobs, RuledOutTokensCountAsZero) {
  const float never = -std::numeric_limits<float>::infinity();
  EXPECT_FLOAT_EQ(log_sum_exp(std::vector<float>{2.0F, never}), 2.0F);
}

TEST(Logprobs, TheMostLikelyComeInOrderAndTheLowerTokenFirstOnATie) {
  const auto top = most_likely(std::vector<float>{1.0F, 5.0F, 3.0F, 5.0F, 0.0F}, 0.0F, 3);
  ASSERT_EQ(top.size(), 3U);
  EXPECT_EQ(top[0].token, 1);
  EXPECT_EQ(top[1].token, 3);
  EXPECT_EQ(top[2].token, 2);
  EXPECT_FLOAT_EQ(top[2].logprob, 3.0F);
}

TEST(Logprobs, NoneOrMoreThanThereAreIsFine) {
  EXPECT_TRUE(most_likely(std::vector<float>{1.0F}, 0.0F, 0).empty());
  EXPECT_EQ(most_likely(std::vector<float>{1.0F, 2.0F}, 0.0F, 20).size(), 2U);
}

}  // namespace
}  // namespace switchyard::engine
