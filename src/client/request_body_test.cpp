#include "client/request_body.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace switchyard::client {
namespace {

workload::Session two_turns() {
  workload::Session session;
  session.messages = {{workload::Role::kUser, "q1"},
                      {workload::Role::kAssistant, "recorded"},
                      {workload::Role::kUser, "q2"}};
  session.turns = {{1, 5, 0}, {3, 7, 0}};
  return session;
}

TEST(ChatBody, SendsTheTurnsHistoryAndForcedLength) {
  const auto session = two_turns();
  const auto body = nlohmann::json::parse(chat_body(session, session.turns[1], {.model = "m"}));
  EXPECT_EQ(body["messages"].size(), 3U);
  EXPECT_EQ(body["messages"][1], nlohmann::json({{"role", "assistant"}, {"content", "recorded"}}));
  EXPECT_EQ(body["max_tokens"], 7);
  EXPECT_EQ(body["temperature"], 0);
  EXPECT_EQ(body["ignore_eos"], true);
  EXPECT_EQ(body["stream_options"]["include_usage"], true);
}

TEST(ChatBody, LeavesIgnoreEosOutWhenNotForced) {
  const auto session = two_turns();
  const auto body = nlohmann::json::parse(
      chat_body(session, session.turns[0], {.model = "m", .ignore_eos = false, .stream = false}));
  EXPECT_EQ(body["messages"].size(), 1U);
  EXPECT_FALSE(body.contains("ignore_eos"));
  EXPECT_FALSE(body.contains("stream_options"));
}

}  // namespace
}  // namespace switchyard::client
