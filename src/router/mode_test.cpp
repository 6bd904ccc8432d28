#include "router/mode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace switchyard::router {
namespace {

const std::array<std::string, 3> kWeights = {"bf16", "q8_0", "q4_K_M"};

TEST(Mode, NamesReadBackAsTheSameMode) {
  for (const char* name : {"bf16", "q8_0+prefix", "bf16+prefix+ngram", "bf16+draft", "q4_K_M"}) {
    const auto mode = parse_mode(name, kWeights);
    ASSERT_TRUE(mode) << name;
    EXPECT_EQ(mode_name(*mode, kWeights), name);
  }
}

TEST(Mode, TakesPartsInAnyOrderAndCase) {
  const auto mode = parse_mode("Q4_k_m+NGRAM+Prefix", kWeights);
  ASSERT_TRUE(mode);
  EXPECT_EQ(mode_name(*mode, kWeights), "q4_K_M+prefix+ngram");
}

TEST(Mode, RefusesWhatItDoesNotKnowAndListsTheChoices) {
  for (const char* name : {"", "q5_0", "bf16+", "bf16++prefix", "bf16+turbo", "+prefix", "bf16 ",
                           "bf16+prefix+prefix", "bf16+ngram+draft"}) {
    const auto mode = parse_mode(name, kWeights);
    ASSERT_FALSE(mode) << name;
    EXPECT_EQ(mode.error().code, ErrorCode::kUsage);
    EXPECT_THAT(mode.error().message, testing::HasSubstr("bf16, q8_0, q4_K_M")) << name;
  }
}

TEST(Mode, DoesNotEchoWhatATerminalWouldObey) {
  const auto mode = parse_mode("\x1b[2J\n" + std::string(1000, 'x'), kWeights);
  ASSERT_FALSE(mode);
  EXPECT_THAT(mode.error().message, testing::Not(testing::HasSubstr("\x1b")));
  EXPECT_LT(mode.error().message.size(), 200U);
}

}  // namespace
}  // namespace switchyard::router
