#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "engine/llama/test_support.h"

namespace switchyard::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ChatMessage message(const std::string& role, const std::string& content) {
  ChatMessage result;
  result.role = role;
  result.content = content;
  return result;
}

class LlamaTokenizerTest : public LlamaEngineTest {
 protected:
  const Tokenizer& tokenizer() const { return engine_->tokenizer(); }
  std::string text_of(const std::vector<core::TokenId>& tokens, bool special) const {
    std::string text;
    for (const core::TokenId token : tokens) tokenizer().append_piece(token, special, text);
    return text;
  }
};

TEST_F(LlamaTokenizerTest, TextSurvivesTheRoundTrip) {
  const std::string text(
      "Hi \xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9 \xED\x95\x9C \0 e\xCC\x81", 25);
  EXPECT_EQ(text_of(tokenizer().tokenize(text, false, false), false), text);
}

TEST_F(LlamaTokenizerTest, NoTextHasNoTokens) {
  EXPECT_TRUE(tokenizer().tokenize("", false, false).empty());
}

TEST_F(LlamaTokenizerTest, SpecialTextIsOneEndTokenOnlyWhenAskedFor) {
  const auto special = tokenizer().tokenize("<|im_end|>", false, true);
  ASSERT_EQ(special.size(), 1U);
  EXPECT_TRUE(tokenizer().is_end_of_generation(special[0]));
  EXPECT_GT(tokenizer().tokenize("<|im_end|>", false, false).size(), 1U);
  EXPECT_EQ(text_of(special, false), "");
  EXPECT_EQ(text_of(special, true), "<|im_end|>");
}

TEST_F(LlamaTokenizerTest, TokensOutsideTheVocabularyHaveNoText) {
  EXPECT_EQ(text_of({-1, tokenizer().vocabulary_size(), 1 << 30}, true), "");
}

TEST_F(LlamaTokenizerTest, AMegabyteWithoutABreakIsTokenizedWhole) {
  for (const char* unit : {"a", " ", "1", "\xE4\xBD\xA0", "<", "\n", "!", "a\xCC\x81"}) {
    std::string text;
    while (text.size() < (1 << 20)) text += unit;
    EXPECT_EQ(text_of(tokenizer().tokenize(text, true, true), false), text) << unit;
  }
}

TEST_F(LlamaTokenizerTest, TheTemplateIsTheModelsOwnAndEndsInTheAssistantsTurn) {
  const auto prompt = tokenizer().apply_chat_template(std::vector{message("user", "hello")});
  ASSERT_TRUE(prompt);
  EXPECT_THAT(*prompt, HasSubstr("<|im_start|>user\nhello<|im_end|>"));
  EXPECT_THAT(*prompt, ::testing::EndsWith("<|im_start|>assistant\n"));
}

TEST_F(LlamaTokenizerTest, AToolTurnIsAcceptedAndNeverPrintsNull) {
  std::vector<ChatMessage> messages = {message("user", "Weather?"), message("assistant", ""),
                                       message("tool", "sunny")};
  messages[1].tool_calls_json =
      R"([{"id":"c1","type":"function","function":{"name":"weather","arguments":"{}"}}])";
  messages[2].tool_call_id = "c1";
  const auto prompt = tokenizer().apply_chat_template(messages);
  ASSERT_TRUE(prompt) << prompt.error().message;
  EXPECT_THAT(*prompt, HasSubstr("sunny"));
  EXPECT_THAT(*prompt, Not(HasSubstr("null")));
  EXPECT_THAT(*prompt, Not(HasSubstr("None")));
}

TEST_F(LlamaTokenizerTest, ToolCallsThatAreNoneAreRefusedWithoutEchoingThem) {
  std::vector<ChatMessage> messages = {message("user", "x"), message("assistant", "")};
  for (const char* calls : {"[{\"secret\":1}]", "{", "[1]", "\"secret\""}) {
    messages[1].tool_calls_json = calls;
    const auto prompt = tokenizer().apply_chat_template(messages);
    ASSERT_FALSE(prompt) << calls;
    EXPECT_EQ(prompt.error().code, ErrorCode::kInvalidRequest);
    EXPECT_THAT(prompt.error().message, Not(HasSubstr("secret")));
  }
}

TEST_F(LlamaTokenizerTest, ThreadsGetTheSameTemplateAndTokensAtOnce) {
  const std::vector<ChatMessage> messages = {message("system", "Be brief."),
                                             message("user", "hello there")};
  const std::string expected = *tokenizer().apply_chat_template(messages);
  const auto expected_tokens = tokenizer().tokenize(expected, true, true);
  std::vector<int> wrong(4);
  {
    std::vector<std::jthread> threads;
    for (int& count : wrong) {
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) {
          const auto prompt = tokenizer().apply_chat_template(messages);
          const bool same = prompt && *prompt == expected &&
                            tokenizer().tokenize(*prompt, true, true) == expected_tokens;
          count += same ? 0 : 1;
        }
      });
    }
  }
  EXPECT_THAT(wrong, ::testing::Each(0));
}

}  // namespace
}  // namespace switchyard::engine
