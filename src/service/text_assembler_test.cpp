#include "service/text_assembler.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace switchyard::service {
namespace {

struct Output {
  std::string text;
  bool stopped = false;
};

// Pushes `bytes` in pieces of `step` bytes; every piece of output must be valid UTF-8 by itself.
Output run(const std::string& bytes, std::size_t step, std::vector<std::string> stops = {}) {
  TextAssembler assembler(std::move(stops));
  Output result;
  for (std::size_t i = 0; i < bytes.size() && !result.stopped; i += step) {
    std::string piece;
    result.stopped = assembler.push(std::string_view(bytes).substr(i, step), piece);
    EXPECT_TRUE(is_valid_utf8(piece));
    result.text += piece;
  }
  if (!result.stopped) assembler.finish(result.text);
  return result;
}

TEST(TextAssembler, EmitsWholeCharactersHoweverTheyAreCut) {
  const std::string text = "a\u00e9\u6f22\ud55c\u0e44\U0001F468\u200D\U0001F469e\u0301";
  for (std::size_t step = 1; step < 6; ++step) EXPECT_EQ(run(text, step).text, text);
}

TEST(TextAssembler, DropsAnUnfinishedLastCharacter) {
  for (std::size_t step = 1; step < 6; ++step) EXPECT_EQ(run("ab\xF0\x9F\x98", step).text, "ab");
}

TEST(TextAssembler, StopInsideAPieceLeaksNothing) {
  for (std::size_t step = 1; step < 9; ++step) {
    const Output out = run("hello END more", step, {"END"});
    EXPECT_TRUE(out.stopped);
    EXPECT_EQ(out.text, "hello ");
  }
}

TEST(TextAssembler, ReleasesANearMatch) {
  for (std::size_t step = 1; step < 9; ++step) {
    const Output out = run("abc EN done EN", step, {"END"});
    EXPECT_FALSE(out.stopped);
    EXPECT_EQ(out.text, "abc EN done EN");
  }
}

TEST(TextAssembler, FirstCompletedMatchWinsWhenOneIsThePrefixOfTheOther) {
  for (std::size_t step = 1; step < 9; ++step) {
    EXPECT_EQ(run("x##y###z", step, {"###", "##"}).text, "x");
    EXPECT_EQ(run("xabcabd", step, {"abcabd", "abd"}).text, "x");
  }
}

TEST(TextAssembler, FindsAnOverlappingStart) {
  for (std::size_t step = 1; step < 9; ++step) EXPECT_EQ(run("aaab", step, {"aab"}).text, "a");
}

TEST(TextAssembler, MatchesAnEmojiStop) {
  for (std::size_t step = 1; step < 9; ++step) {
    EXPECT_EQ(run("ok \U0001F600\U0001F601 no", step, {"\U0001F601"}).text, "ok \U0001F600");
  }
}

}  // namespace
}  // namespace switchyard::service
