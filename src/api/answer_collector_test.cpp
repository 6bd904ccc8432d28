#include "api/answer_collector.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace switchyard::api {
namespace {

using core::FinishReason;
using nlohmann::json;

service::Delta delta_of(std::int32_t choice, std::string text, FinishReason finish) {
  service::Delta delta;
  delta.choice = choice;
  delta.text = std::move(text);
  delta.finish = finish;
  return delta;
}

const ResponseShape kChatShape{Endpoint::kChat, "id", "model \"x\"", 5, false, false};

TEST(AnswerCollector, JoinsTheDeltasOfEachChoice) {
  AnswerCollector answer(2);
  answer.add(delta_of(1, "b1", FinishReason::kNone));
  answer.add(delta_of(0, "a", FinishReason::kLength));
  answer.add(delta_of(1, "b2", FinishReason::kStop));
  const auto body =
      json::parse(answer.body(kChatShape, {.prompt_tokens = 1, .completion_tokens = 3}));
  EXPECT_EQ(body["object"], "chat.completion");
  EXPECT_EQ(body["model"], "model \"x\"");
  EXPECT_EQ(body["choices"][0]["message"]["content"], "a");
  EXPECT_EQ(body["choices"][0]["finish_reason"], "length");
  EXPECT_EQ(body["choices"][1]["message"]["content"], "b1b2");
  EXPECT_EQ(body["choices"][1]["finish_reason"], "stop");
  EXPECT_TRUE(body["choices"][0]["logprobs"].is_null());
  EXPECT_EQ(body["usage"]["total_tokens"], 4);
}

TEST(AnswerCollector, ACompletionHasTextInsteadOfAMessage) {
  AnswerCollector answer(1);
  answer.add(delta_of(0, "x", FinishReason::kStop));
  const auto body =
      json::parse(answer.body({Endpoint::kCompletion, "i", "m", 1, false, false}, {}));
  EXPECT_EQ(body["object"], "text_completion");
  EXPECT_EQ(body["choices"][0]["text"], "x");
}

TEST(AnswerCollector, OneFailedChoiceFailsTheAnswer) {
  AnswerCollector answer(2);
  answer.add(delta_of(0, "a", FinishReason::kStop));
  EXPECT_FALSE(answer.error());
  service::Delta failed = delta_of(1, "", FinishReason::kError);
  failed.error = Error{ErrorCode::kQueueTimeout, "late", {}};
  answer.add(std::move(failed));
  ASSERT_TRUE(answer.error());
  EXPECT_EQ(answer.error()->code, ErrorCode::kQueueTimeout);
}

TEST(AnswerCollector, AChoiceCancelledByTheServerIsAnErrorToTheClient) {
  AnswerCollector answer(1);
  answer.add(delta_of(0, "half", FinishReason::kCancelled));
  ASSERT_TRUE(answer.error());
  EXPECT_EQ(answer.error()->code, ErrorCode::kShuttingDown);
}

TEST(AnswerCollector, LogprobsOfTheChatFormCarryTheBytes) {
  ResponseShape shape = kChatShape;
  shape.logprobs = true;
  service::Delta delta = delta_of(0, "", FinishReason::kStop);
  delta.logprobs.push_back({"\xF0\x9F", -0.25F, {{"\xF0\x9F", -0.25F}, {"a", -1.5F}}});
  AnswerCollector answer(1);
  answer.add(std::move(delta));
  const auto body = json::parse(answer.body(shape, {}));
  const auto token = body["choices"][0]["logprobs"]["content"][0];
  EXPECT_EQ(token["token"], "\xEF\xBF\xBD");
  EXPECT_EQ(token["bytes"], json::array({0xF0, 0x9F}));
  EXPECT_EQ(token["logprob"], -0.25);
  EXPECT_EQ(token["top_logprobs"].size(), 2U);
  EXPECT_EQ(token["top_logprobs"][1]["token"], "a");
}

TEST(AnswerCollector, LogprobsOfTheCompletionFormNamePartialCharactersByTheirBytes) {
  service::Delta delta = delta_of(0, "a", FinishReason::kStop);
  delta.logprobs.push_back({"a", -0.5F, {{"a", -0.5F}, {"\xF0", -2.0F}}});
  AnswerCollector answer(1);
  answer.add(std::move(delta));
  const auto body = json::parse(answer.body({Endpoint::kCompletion, "i", "m", 1, true, false}, {}));
  const auto logprobs = body["choices"][0]["logprobs"];
  EXPECT_EQ(logprobs["tokens"], json::array({"a"}));
  EXPECT_EQ(logprobs["token_logprobs"], json::array({-0.5}));
  EXPECT_EQ(logprobs["text_offset"], json::array({0}));
  EXPECT_EQ(logprobs["top_logprobs"][0]["a"], -0.5);
  EXPECT_EQ(logprobs["top_logprobs"][0]["bytes:\\xf0"], -2.0);
}

}  // namespace
}  // namespace switchyard::api
