#include "api/sse_writer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace switchyard::api {
namespace {

using core::FinishReason;
using nlohmann::json;

ResponseShape shape_of(Endpoint endpoint) {
  return {endpoint, "id-1", "m", 1700000000, false, false};
}

service::Delta delta_of(std::string text, FinishReason finish = FinishReason::kNone,
                        std::int32_t choice = 0) {
  service::Delta delta;
  delta.choice = choice;
  delta.text = std::move(text);
  delta.finish = finish;
  return delta;
}

// The payloads of the events, which must each be one "data: …" line and an empty line.
std::vector<std::string> events_of(std::string_view stream) {
  std::vector<std::string> events;
  while (!stream.empty()) {
    const auto end = stream.find("\n\n");
    EXPECT_NE(end, std::string_view::npos);
    EXPECT_TRUE(stream.starts_with("data: "));
    events.emplace_back(stream.substr(6, end - 6));
    EXPECT_EQ(events.back().find('\n'), std::string::npos);
    stream.remove_prefix(end + 2);
  }
  return events;
}

TEST(SseWriter, AChatChoiceBeginsWithItsRole) {
  SseWriter writer(shape_of(Endpoint::kChat), 1);
  std::string out;
  writer.append_delta(delta_of("Hi\n"), out);
  writer.append_delta(delta_of(" you", FinishReason::kStop), out);
  const auto events = events_of(out);
  ASSERT_EQ(events.size(), 3U);
  const auto role = json::parse(events[0]);
  EXPECT_EQ(role["object"], "chat.completion.chunk");
  EXPECT_EQ(role["id"], "id-1");
  EXPECT_EQ(role["model"], "m");
  EXPECT_EQ(role["choices"][0]["delta"]["role"], "assistant");
  EXPECT_TRUE(role["choices"][0]["finish_reason"].is_null());
  EXPECT_EQ(json::parse(events[1])["choices"][0]["delta"]["content"], "Hi\n");
  EXPECT_EQ(json::parse(events[2])["choices"][0]["delta"]["content"], " you");
  EXPECT_EQ(json::parse(events[2])["choices"][0]["finish_reason"], "stop");
}

TEST(SseWriter, EachChoiceHasItsOwnRoleEventAndIndex) {
  SseWriter writer(shape_of(Endpoint::kChat), 2);
  std::string out;
  writer.append_delta(delta_of("a", FinishReason::kNone, 1), out);
  writer.append_delta(delta_of("b", FinishReason::kNone, 0), out);
  const auto events = events_of(out);
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(json::parse(events[0])["choices"][0]["index"], 1);
  EXPECT_EQ(json::parse(events[2])["choices"][0]["index"], 0);
  EXPECT_EQ(json::parse(events[2])["choices"][0]["delta"]["role"], "assistant");
}

TEST(SseWriter, ACompletionEventHasTextAndNoRole) {
  SseWriter writer(shape_of(Endpoint::kCompletion), 1);
  std::string out;
  writer.append_delta(delta_of("x", FinishReason::kLength), out);
  const auto events = events_of(out);
  ASSERT_EQ(events.size(), 1U);
  const auto event = json::parse(events[0]);
  EXPECT_EQ(event["object"], "text_completion");
  EXPECT_EQ(event["choices"][0]["text"], "x");
  EXPECT_EQ(event["choices"][0]["finish_reason"], "length");
  EXPECT_FALSE(event.contains("usage"));
}

TEST(SseWriter, UsageComesRightBeforeTheEndIfAskedFor) {
  ResponseShape shape = shape_of(Endpoint::kChat);
  shape.include_usage = true;
  SseWriter writer(shape, 1);
  std::string out;
  writer.append_delta(delta_of("x", FinishReason::kStop), out);
  writer.append_end({.prompt_tokens = 3, .completion_tokens = 2, .cached_tokens = 1}, out);
  const auto events = events_of(out);
  ASSERT_EQ(events.size(), 4U);
  EXPECT_TRUE(json::parse(events[1])["usage"].is_null());
  const auto usage = json::parse(events[2]);
  EXPECT_TRUE(usage["choices"].empty());
  EXPECT_EQ(usage["usage"]["total_tokens"], 5);
  EXPECT_EQ(usage["usage"]["prompt_tokens_details"]["cached_tokens"], 1);
  EXPECT_EQ(events[3], "[DONE]");
}

TEST(SseWriter, WithoutTheOptionThereIsOnlyTheEndMarker) {
  const SseWriter writer(shape_of(Endpoint::kChat), 1);
  std::string out;
  writer.append_end({}, out);
  EXPECT_EQ(out, kSseDone);
}

TEST(SseWriter, AnErrorIsAnEvent) {
  std::string out;
  SseWriter::append_error({ErrorCode::kEngineFailure, "broke", {}}, out);
  const auto events = events_of(out);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(json::parse(events[0])["error"]["code"], "engine_failure");
}

TEST(SseWriter, TextOffsetsRunOnThroughTheStream) {
  ResponseShape shape = shape_of(Endpoint::kCompletion);
  shape.logprobs = true;
  SseWriter writer(shape, 1);
  std::string out;
  for (const char* token : {"\xC3\xA9t", "b"}) {
    service::Delta delta = delta_of(token);
    delta.logprobs.push_back({token, -1.0F, {}});
    writer.append_delta(delta, out);
  }
  const auto events = events_of(out);
  EXPECT_EQ(json::parse(events[0])["choices"][0]["logprobs"]["text_offset"][0], 0);
  EXPECT_EQ(json::parse(events[1])["choices"][0]["logprobs"]["text_offset"][0], 2);
}

}  // namespace
}  // namespace switchyard::api
