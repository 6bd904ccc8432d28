#include "client/stream_event.h"

#include <gtest/gtest.h>

namespace switchyard::client {
namespace {

StreamEvent read(std::string data, std::string name = "message") {
  return read_stream_event({std::move(name), std::move(data)});
}

TEST(StreamEvent, CountsCharactersOfChatAndTextCompletions) {
  EXPECT_EQ(read(R"({"choices": [{"delta": {"content": "né😀"}}]})").text_characters, 3);
  EXPECT_EQ(read(R"({"choices": [{"text": "ab"}]})").text_characters, 2);
  EXPECT_EQ(read(R"({"choices": [{"delta": {"reasoning_content": "ab"}}]})").text_characters, 2);
}

TEST(StreamEvent, RoleOnlyEmptyAndNullDeltasAreNoText) {
  for (const char* data : {R"({"choices": [{"delta": {"role": "assistant"}}]})",
                           R"({"choices": [{"delta": {"role": "assistant", "content": ""}}]})",
                           R"({"choices": [{"delta": {"content": null}}]})",
                           R"({"choices": [{"delta": {}}]})", R"({"choices": []})"}) {
    const auto event = read(data);
    EXPECT_EQ(event.kind, StreamEvent::Kind::kChunk) << data;
    EXPECT_EQ(event.text_characters, 0) << data;
  }
}

TEST(StreamEvent, ReadsFinishReasonAndUsage) {
  const auto event = read(
      R"({"choices": [{"delta": {}, "finish_reason": "length"}], "usage": {"prompt_tokens": 7,)"
      R"( "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 3}}})");
  EXPECT_EQ(event.finish_reason, "length");
  ASSERT_TRUE(event.usage);
  EXPECT_EQ(event.usage->prompt_tokens, 7);
  EXPECT_EQ(event.usage->completion_tokens, 9);
  EXPECT_EQ(event.usage->cached_tokens, 3);
  EXPECT_FALSE(read(R"({"choices": [], "usage": null})").usage);
}

TEST(StreamEvent, AnErrorObjectIsAnErrorWithItsMessageCleaned) {
  const auto event = read("{\"error\": {\"message\": \"out of\\nmemory\", \"code\": 500}}");
  EXPECT_EQ(event.kind, StreamEvent::Kind::kError);
  EXPECT_EQ(event.error, "out of memory");
  EXPECT_EQ(read(R"({"message": "x"})", "error").kind, StreamEvent::Kind::kError);
  EXPECT_EQ(read(R"({"choices": [], "error": null})").kind, StreamEvent::Kind::kChunk);
}

TEST(StreamEvent, WhatIsNoObjectIsInvalid) {
  EXPECT_EQ(read("{\"cut").kind, StreamEvent::Kind::kInvalid);
  EXPECT_EQ(read("3").kind, StreamEvent::Kind::kInvalid);
  EXPECT_EQ(read("[DONE]").kind, StreamEvent::Kind::kDone);
}

TEST(ErrorMessageOf, FallsBackToTheBody) {
  EXPECT_EQ(error_message_of(R"({"error": {"message": "busy"}})"), "busy");
  EXPECT_EQ(error_message_of("<html>bad\xFF</html>"), "<html>bad\xEF\xBF\xBD</html>");
}

TEST(FirstModelOf, TakesTheFirstId) {
  EXPECT_EQ(first_model_of(R"({"data": [{"id": "a"}, {"id": "b"}]})"), "a");
  EXPECT_EQ(first_model_of(R"({"data": []})"), "");
  EXPECT_EQ(first_model_of("nothing"), "");
}

}  // namespace
}  // namespace switchyard::client
