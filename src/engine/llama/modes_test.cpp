#include "engine/llama/modes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace switchyard::engine {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Modes, NamesAreFoundInUpperAndLowerCase) {
  const auto modes = resolve_modes({"Q4_k_m", "iq4_NL", "AUTO"});
  ASSERT_TRUE(modes) << modes.error().message;
  EXPECT_STREQ((*modes)[0].name, "q4_K_M");
  EXPECT_STREQ((*modes)[1].name, "iq4_nl");
  EXPECT_THAT((*modes)[2].name, AnyOf(::testing::StrEq("bf16"), ::testing::StrEq("f16")));
}

TEST(Modes, EveryChoiceIsAccepted) {
  const std::string choices = mode_choices();
  std::size_t count = 0;
  for (std::size_t at = 0; at != std::string::npos; ++count) {
    const std::size_t comma = choices.find(", ", at);
    EXPECT_TRUE(resolve_modes({choices.substr(at, comma - at)}));
    at = comma == std::string::npos ? comma : comma + 2;
  }
  EXPECT_EQ(count, 21U);
}

TEST(Modes, WhatNeedsAnImportanceMatrixIsRefusedWithTheChoicesInOneLine) {
  for (const char* name : {"iq2_xxs", "IQ3_XS", "q2_k_s"}) {
    const auto modes = resolve_modes({"f16", name});
    ASSERT_FALSE(modes) << name;
    EXPECT_EQ(modes.error().code, ErrorCode::kUsage);
    EXPECT_THAT(modes.error().message, HasSubstr("needs an importance matrix; choices are auto,"));
    EXPECT_THAT(modes.error().message, Not(HasSubstr("\n")));
  }
}

TEST(Modes, AnUnknownNameIsRefusedWithTheChoicesAndCannotBreakTheLine) {
  const auto modes = resolve_modes({"q9\n" + std::string(100, 'x')});
  ASSERT_FALSE(modes);
  EXPECT_THAT(modes.error().message, HasSubstr("choices are auto, f16"));
  EXPECT_THAT(modes.error().message, Not(HasSubstr("\n")));
  EXPECT_LT(modes.error().message.size(), 300U);
}

TEST(Modes, AModeIsRepeatedAlsoInAnotherCaseOrAsAuto) {
  EXPECT_FALSE(resolve_modes({"q8_0", "Q8_0"}));
  EXPECT_FALSE(resolve_modes({"f16", "bf16", "auto"}));
}

TEST(Modes, AnEmptyListIsRefused) { EXPECT_FALSE(resolve_modes({})); }

TEST(Modes, TheTypeBehindAModeHasTheNameThatFilesUse) {
  EXPECT_EQ(tensor_type_name(resolve_modes({"q4_K_M"})->front()), "q4_K");
  EXPECT_EQ(tensor_type_name(resolve_modes({"iq3_m"})->front()), "iq3_s");
}

}  // namespace
}  // namespace switchyard::engine
