#include "service/text_bound.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/sim/sim_tokenizer.h"

namespace switchyard::service {
namespace {

// The longest piece of the simulated vocabulary is "<|endoftext|>": 13 bytes.
const TextBound& bound() {
  static const TextBound instance{engine::SimTokenizer()};
  return instance;
}

TEST(TextBound, PlainTextCountsAsTheLongestPieceAgainAndAgain) {
  EXPECT_EQ(bound().least_tokens("", true), 0U);
  EXPECT_EQ(bound().least_tokens("x", true), 1U);
  EXPECT_EQ(bound().least_tokens(std::string(13, 'x'), true), 1U);
  EXPECT_EQ(bound().least_tokens(std::string(14, 'x'), true), 2U);
  EXPECT_EQ(bound().least_tokens(std::string(26, '<'), true), 2U);
}

TEST(TextBound, EachControlTokenCountsAsOneIfItIsParsed) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "<|im_end|>";
  EXPECT_EQ(bound().least_tokens(text, true), 50U);
  EXPECT_EQ(bound().least_tokens(text, false), 39U);  // 500 bytes
  EXPECT_EQ(bound().least_tokens("ab<|im_start|>cd<|im_sta", true), 2U);
}

TEST(TextBound, NeverExceedsTheTokensThatThereAre) {
  const engine::SimTokenizer tokenizer;
  for (const char* unit : {"a", "<", "<|", "<|im_end|", "<|im_end|>", "<|im_end|><|im_start|>x",
                           "<<|endoftext|>|>", "<|im_<|im_end|>", "\xF0\x9F\x98\x80"}) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += unit;
    for (const bool parse_special : {false, true}) {
      EXPECT_LE(bound().least_tokens(text, parse_special),
                tokenizer.tokenize(text, false, parse_special).size())
          << unit;
    }
  }
}

}  // namespace
}  // namespace switchyard::service
