#include "engine/sim/sim_tokenizer.h"

#include <gtest/gtest.h>

#include <string>

namespace switchyard::engine {
namespace {

std::string text_of(const SimTokenizer& tokenizer, const std::vector<core::TokenId>& tokens,
                    bool special) {
  std::string text;
  for (const core::TokenId token : tokens) tokenizer.append_piece(token, special, text);
  return text;
}

TEST(SimTokenizer, TextSurvivesTheRoundTripWithNulAndMultibyteCharacters) {
  const SimTokenizer tokenizer;
  const std::string text("a\0\xF0\x9F\x98\x80z", 7);
  EXPECT_EQ(text_of(tokenizer, tokenizer.tokenize(text, true, false), false), text);
}

TEST(SimTokenizer, SpecialTextIsOneTokenOnlyWhenAskedFor) {
  const SimTokenizer tokenizer;
  EXPECT_EQ(tokenizer.tokenize("<|im_end|>", true, true),
            std::vector<core::TokenId>{SimTokenizer::kTurnEnd});
  EXPECT_EQ(tokenizer.tokenize("<|im_end|>", true, false).size(), 10U);
}

TEST(SimTokenizer, ControlTokensHaveTextOnlyWhenAskedFor) {
  const SimTokenizer tokenizer;
  EXPECT_EQ(text_of(tokenizer, {SimTokenizer::kTurnStart}, false), "");
  EXPECT_EQ(text_of(tokenizer, {SimTokenizer::kTurnStart}, true), "<|im_start|>");
}

TEST(SimTokenizer, TokensOutsideTheVocabularyHaveNoText) {
  const SimTokenizer tokenizer;
  EXPECT_EQ(text_of(tokenizer, {-1, 259, 1 << 30}, true), "");
}

TEST(SimTokenizer, TheTemplateEndsInTheAssistantsTurn) {
  const SimTokenizer tokenizer;
  std::vector<ChatMessage> messages(1);
  messages[0].role = "user";
  messages[0].content = "hi";
  EXPECT_EQ(*tokenizer.apply_chat_template(messages),
            "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n");
}

}  // namespace
}  // namespace switchyard::engine
