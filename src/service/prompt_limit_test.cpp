#include "service/prompt_limit.h"

#include <gmock/gmock.h>

#include <string>

#include "engine/sim/sim_tokenizer.h"

namespace switchyard::service {
namespace {

using testing::HasSubstr;

class PromptLimitTest : public testing::Test {
 protected:
  PromptLimit limit(std::int32_t stream_tokens, std::int64_t pool_tokens) const {
    core::LaneInfo lane;
    lane.stream_capacity_tokens = stream_tokens;
    lane.pool_capacity_tokens = pool_tokens;
    return {lane, bound_};
  }

  const TextBound bound_{engine::SimTokenizer()};  // 13 bytes in the longest piece
};

TEST_F(PromptLimitTest, ATextThatMightFitIsLetThrough) {
  EXPECT_TRUE(limit(100, 1000).check_text("", true));
  EXPECT_TRUE(limit(100, 1000).check_text(std::string(99U * 13, 'x'), true));
}

TEST_F(PromptLimitTest, ATextThatCannotFitIsRefusedWithALowerBound) {
  const auto refused = limit(100, 1000).check_text(std::string(99U * 13 + 1, 'x'), true);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kContextLengthExceeded);
  EXPECT_EQ(refused.error().param, "prompt");
  EXPECT_THAT(refused.error().message, HasSubstr("holds 100 tokens"));
  EXPECT_THAT(refused.error().message, HasSubstr("at least 100 tokens"));
}

TEST_F(PromptLimitTest, OneTokenOfTheContextIsLeftForTheAnswer) {
  EXPECT_TRUE(limit(100, 1000).check_tokens(99));
  EXPECT_THAT(limit(100, 1000).check_tokens(100).error().message, HasSubstr("has 100 tokens"));
}

TEST_F(PromptLimitTest, APoolSmallerThanAStreamIsTheContext) {
  EXPECT_EQ(limit(100, 40).context_tokens(), 40);
  EXPECT_FALSE(limit(100, 40).check_tokens(40));
  EXPECT_FALSE(limit(100, 40).check_text(std::string(40U * 13, 'x'), true));
}

}  // namespace
}  // namespace switchyard::service
