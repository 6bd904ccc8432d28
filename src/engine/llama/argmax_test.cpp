#include "engine/llama/argmax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace switchyard::engine {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Argmax, EqualsAScalarSearchForEveryLengthAroundTheBlocks) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (const std::size_t size : {1, 2, 15, 16, 17, 511, 512, 513, 1024, 1030, 49152}) {
    for (int round = 0; round < 20; ++round) {
      std::vector<float> values(size);
      for (float& value : values) value = normal(random);
      const auto expected = std::max_element(values.begin(), values.end()) - values.begin();
      EXPECT_EQ(argmax(values), static_cast<std::size_t>(expected)) << size;
    }
  }
}

TEST(Argmax, TheLowestIndexWinsATie) {
  std::vector<float> values(2000, -1.0F);
  values[1999] = values[700] = values[699] = 3.0F;
  EXPECT_EQ(argmax(values), 699U);
}

TEST(Argmax, NotANumberNeverWins) {
  std::vector<float> values(600, kNan);
  values[555] = -7.0F;
  EXPECT_EQ(argmax(values), 555U);
  values[0] = -kInfinity;
  EXPECT_EQ(argmax(values), 555U);
}

TEST(Argmax, WithNothingAboveMinusInfinityItIsTheFirst) {
  EXPECT_EQ(argmax(std::vector<float>(600, -kInfinity)), 0U);
  EXPECT_EQ(argmax(std::vector<float>(600, kNan)), 0U);
  EXPECT_EQ(argmax({}), 0U);
}

}  // namespace
}  // namespace switchyard::engine
