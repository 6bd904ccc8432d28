#include "router/copy_ratio.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace switchyard::router {
namespace {

std::vector<std::int32_t> counting(std::int32_t n) {
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(n));
  std::iota(tokens.begin(), tokens.end(), 0);
  return tokens;
}

TEST(CopyRatio, IsZeroForTextThatNeverRepeats) {
  EXPECT_EQ(repeated_share(counting(1000)), 0);
  EXPECT_EQ(repeated_share({}), 0);
  EXPECT_EQ(repeated_share(counting(3)), 0);
}

TEST(CopyRatio, IsHalfForTextThatIsGivenTwice) {
  std::vector<std::int32_t> tokens = counting(500);
  const std::vector<std::int32_t> again = tokens;
  tokens.insert(tokens.end(), again.begin(), again.end());
  EXPECT_NEAR(repeated_share(tokens), 0.5, 0.01);
}

TEST(CopyRatio, IsOneForOneTokenOverAndOver) {
  EXPECT_NEAR(repeated_share(std::vector<std::int32_t>(4096, 7)), 1, 0.001);
}

TEST(CopyRatio, ReadsTheEndOfALongPrompt) {
  std::vector<std::int32_t> tokens(10'000, 7);
  const std::vector<std::int32_t> end = counting(4096);
  tokens.insert(tokens.end(), end.begin(), end.end());
  EXPECT_EQ(repeated_share(tokens), 0);
}

TEST(CopyRatio, AnInstructionToEditOutweighsAPromptThatDoesNotRepeat) {
  EXPECT_EQ(copy_ratio(0.1, false), 0.1);
  EXPECT_EQ(copy_ratio(0.1, true), 0.8);
  EXPECT_EQ(copy_ratio(0.9, true), 0.9);
}

}  // namespace
}  // namespace switchyard::router
