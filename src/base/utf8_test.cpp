#include "base/utf8.h"

#include <gtest/gtest.h>

namespace switchyard {
namespace {

TEST(Utf8, AcceptsWholeCharactersOfEveryLength) {
  EXPECT_TRUE(is_valid_utf8("a\u00e9\u6f22\U0001F600"));
  EXPECT_TRUE(is_valid_utf8(std::string_view("\0x", 2)));
  EXPECT_TRUE(is_valid_utf8(""));
}

TEST(Utf8, RefusesOverlongSurrogateAndTooLarge) {
  EXPECT_FALSE(is_valid_utf8("\xC0\x80"));
  EXPECT_FALSE(is_valid_utf8("\xE0\x80\x80"));
  EXPECT_FALSE(is_valid_utf8("\xED\xA0\x80"));
  EXPECT_FALSE(is_valid_utf8("\xF4\x90\x80\x80"));
  EXPECT_FALSE(is_valid_utf8("\xFF"));
  EXPECT_FALSE(is_valid_utf8("\xE6\xBC"));
}

TEST(Utf8, FindsTheUnfinishedTail) {
  EXPECT_EQ(unfinished_utf8_suffix("abc"), 0U);
  EXPECT_EQ(unfinished_utf8_suffix("abc\xF0\x9F\x98"), 3U);
  EXPECT_EQ(unfinished_utf8_suffix("abc\xF0\x9F"), 2U);
  EXPECT_EQ(unfinished_utf8_suffix("\xE6"), 1U);
  EXPECT_EQ(unfinished_utf8_suffix("\U0001F600"), 0U);
  EXPECT_EQ(unfinished_utf8_suffix("a\xBC"), 0U) << "a stray continuation byte never becomes valid";
}

TEST(Utf8, ReplacesEachIllFormedRunOnce) {
  std::string out;
  append_valid_utf8("a\xF0\x9F\x98z\xFF\xFE", out);
  EXPECT_EQ(out, "a\uFFFDz\uFFFD\uFFFD");
}

}  // namespace
}  // namespace switchyard
