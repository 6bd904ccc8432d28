#include "api/chat_messages.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace switchyard::api {
namespace {

Result<std::vector<engine::ChatMessage>> read(const std::string& messages) {
  return read_messages(nlohmann::json::parse("{\"messages\":" + messages + "}"));
}

constexpr const char* kCalls =
    R"("tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}])";

TEST(ChatMessages, ReadsRolesAndContent) {
  const auto messages =
      read(R"([{"role":"developer","content":"a"},{"role":"user","content":"b"}])");
  ASSERT_TRUE(messages);
  EXPECT_EQ((*messages)[0].role, "system");
  EXPECT_EQ((*messages)[0].content, "a");
  EXPECT_EQ((*messages)[1].role, "user");
}

TEST(ChatMessages, AssistantTurnWithToolCallsNeedsNoContent) {
  for (const std::string content : {R"("content":null,)", "", R"("content":"",)"}) {
    const auto messages = read(R"([{"role":"user","content":"x"},{"role":"assistant",)" + content +
                               kCalls + R"(},{"role":"tool","tool_call_id":"c1","content":"42"}])");
    ASSERT_TRUE(messages) << content;
    EXPECT_EQ((*messages)[1].content, "");
    EXPECT_NE((*messages)[1].tool_calls_json.find("\"c1\""), std::string::npos);
    EXPECT_EQ((*messages)[2].tool_call_id, "c1");
  }
}

TEST(ChatMessages, OtherTurnsNeedContent) {
  for (const char* turn :
       {R"({"role":"user","content":null})", R"({"role":"user"})",
        R"({"role":"assistant","content":null})",
        R"({"role":"assistant","content":null,"tool_calls":[]})", R"({"role":"user","content":1})",
        R"({"role":"user","content":[]})", R"({"role":"user","content":{}})"}) {
    const auto refused = read(std::string("[") + turn + "]");
    ASSERT_FALSE(refused) << turn;
    EXPECT_EQ(refused.error().param, "messages[0].content");
  }
}

TEST(ChatMessages, UnknownRolesAreRefused) {
  for (const char* role : {R"("robot")", R"("function")", "1", "null", R"("")"}) {
    const auto refused = read(std::string(R"([{"content":"x","role":)") + role + "}]");
    ASSERT_FALSE(refused) << role;
    EXPECT_EQ(refused.error().param, "messages[0].role");
  }
  EXPECT_FALSE(read(R"([{"content":"x"}])"));
}

TEST(ChatMessages, TextPartsAreJoinedByNewlines) {
  const auto messages = read(
      R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}])");
  ASSERT_TRUE(messages);
  EXPECT_EQ((*messages)[0].content, "a\nb");
}

TEST(ChatMessages, PartsThatAreNotTextAreUnsupported) {
  const auto refused =
      read(R"([{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:"}}]}])");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(refused.error().param, "messages[0].content[0]");
}

TEST(ChatMessages, TheListMayNotBeEmptyOrAnythingElse) {
  for (const char* list : {"[]", "null", "{}", "\"x\"", "[1]", "[null]"}) {
    EXPECT_FALSE(read(list)) << list;
  }
  EXPECT_FALSE(read_messages(nlohmann::json::object()));
}

TEST(ChatMessages, MalformedToolCallsAreRefused) {
  for (const char* calls : {"{}", "1", "[1]", "[{}]", R"([{"function":{"name":"f"}}])",
                            R"([{"function":{"name":1,"arguments":""}}])"}) {
    EXPECT_FALSE(
        read(std::string(R"([{"role":"assistant","content":"x","tool_calls":)") + calls + "}]"))
        << calls;
  }
}

TEST(ChatMessages, AnEmbeddedNulIsKept) {
  const auto messages = read(R"([{"role":"user","content":"a\u0000b"}])");
  ASSERT_TRUE(messages);
  EXPECT_EQ((*messages)[0].content.size(), 3U);
}

}  // namespace
}  // namespace switchyard::api
