#include "engine/same_tokens.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace switchyard::engine {
namespace {

using Tokens = std::vector<core::TokenId>;

LogitGap gap_of(float gap) {
  return [gap](std::size_t, core::TokenId, core::TokenId) { return gap; };
}

TEST(SameTokens, EqualListsAreTheSameWithoutAskingTheReference) {
  const LogitGap never = [](std::size_t, core::TokenId, core::TokenId) -> float {
    ADD_FAILURE() << "asked";
    return 0.0F;
  };
  EXPECT_TRUE(compare_tokens(Tokens{1, 2, 3}, Tokens{1, 2, 3}, never, 0.1F).same);
}

TEST(SameTokens, AFirstDifferenceAtANearTieIsTheSame) {
  const auto result = compare_tokens(Tokens{1, 2, 3}, Tokens{1, 9, 8}, gap_of(0.05F), 0.1F);
  EXPECT_TRUE(result.same);
  EXPECT_EQ(result.first_difference, 1U);
}

TEST(SameTokens, AClearDifferenceIsNotTheSame) {
  const auto result = compare_tokens(Tokens{1, 2, 3}, Tokens{1, 9, 3}, gap_of(0.5F), 0.1F);
  EXPECT_FALSE(result.same);
  EXPECT_FLOAT_EQ(result.gap, 0.5F);
}

TEST(SameTokens, TheReferenceIsAskedAboutTheTwoCandidates) {
  core::TokenId seen_expected = 0;
  core::TokenId seen_actual = 0;
  const LogitGap record = [&](std::size_t, core::TokenId expected, core::TokenId actual) {
    seen_expected = expected;
    seen_actual = actual;
    return 0.0F;
  };
  (void)compare_tokens(Tokens{1, 2}, Tokens{1, 9}, record, 0.1F);
  EXPECT_EQ(seen_expected, 2);
  EXPECT_EQ(seen_actual, 9);
}

TEST(SameTokens, AListThatEndsEarlierIsNotTheSame) {
  EXPECT_FALSE(compare_tokens(Tokens{1, 2, 3}, Tokens{1, 2}, gap_of(0.0F), 0.1F).same);
}

TEST(SameTokens, AGapThatIsNotANumberIsNotANearTie) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(compare_tokens(Tokens{1}, Tokens{2}, gap_of(nan), 0.1F).same);
}

}  // namespace
}  // namespace switchyard::engine
