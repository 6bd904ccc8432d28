#include "engine/llama/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace switchyard::engine {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> weights(const std::vector<float>& logits, float largest, float scale) {
  std::vector<float> out(logits.size());
  exp_weights(logits, largest, scale, out);
  return out;
}

TEST(Softmax, WeightsAreExponentialsToTheLastBits) {
  std::vector<float> logits;
  for (float x = 0; x > -87; x -= 0.0137F) logits.push_back(x);
  const auto out = weights(logits, 0, 1);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double exact = std::exp(static_cast<double>(logits[i]));
    EXPECT_NEAR(out[i] / exact, 1, 2e-7) << logits[i];
  }
  EXPECT_EQ(out[0], 1.0F);
}

TEST(Softmax, TheLargestIsTakenOffBeforeTheScaleMultiplies) {
  EXPECT_NEAR(weights({999}, 1000, 2)[0], std::exp(-2.0), 1e-7);
}

TEST(Softmax, WhatIsTooSmallOrNoNumberWeighsNothing) {
  for (const float x : {-87.5F, -1e4F, -3e38F, -kInfinity, kNan}) {
    EXPECT_EQ(weights({x}, 0, 1)[0], 0.0F) << x;
    EXPECT_EQ(weights({x}, 0, 1e4F)[0], 0.0F) << x;
  }
}

TEST(Softmax, TheSumIsThatOfTheWeightsForEveryLengthAroundTheBlocks) {
  for (const std::size_t size : {0, 1, 15, 16, 17, 511, 512, 513, 2000}) {
    std::vector<float> logits(size);
    double exact = 0;
    for (std::size_t i = 0; i < size; ++i) {
      logits[i] = 5 - static_cast<float>(i % 97) * 0.2F;
      exact += std::exp((logits[i] - 5.0) * 0.5);
    }
    EXPECT_NEAR(exp_sum(logits, 5, 0.5F), exact, exact * 1e-6) << size;
  }
}

}  // namespace
}  // namespace switchyard::engine
