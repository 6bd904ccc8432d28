#include "workload/conversation_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "workload/temporary_file.h"

namespace switchyard::workload {
namespace {

using testing::HasSubstr;

Conversation talk(std::initializer_list<Message> messages) { return {messages}; }

std::string text_of(std::size_t length) { return std::string(length, 'x'); }

TEST(SessionOf, EachTurnSendsTheRecordedHistory) {
  const auto session = session_of(talk({{Role::kUser, "q1"},
                                        {Role::kAssistant, text_of(40)},
                                        {Role::kUser, "q2"},
                                        {Role::kAssistant, text_of(8)}}),
                                  sharegpt_turns_filter());
  ASSERT_TRUE(session);
  ASSERT_EQ(session->turns.size(), 2U);
  EXPECT_EQ(session->turns[0].message_count, 1U);
  EXPECT_EQ(session->turns[0].output_tokens, 10);
  EXPECT_EQ(session->turns[1].message_count, 3U);
  EXPECT_EQ(session->turns[1].output_tokens, 2);
  EXPECT_EQ(session->messages.size(), 3U);
}

TEST(SessionOf, OutputIsCappedAndAtLeastOneToken) {
  const auto session = session_of(talk({{Role::kUser, "q"},
                                        {Role::kAssistant, text_of(4000)},
                                        {Role::kUser, "q"},
                                        {Role::kAssistant, ""}}),
                                  sharegpt_turns_filter());
  ASSERT_TRUE(session);
  EXPECT_EQ(session->turns[0].output_tokens, 96);
  EXPECT_EQ(session->turns[1].output_tokens, 1);
}

TEST(SessionOf, OnlyTheFirstThreeTurnsCountAndAreUsed) {
  Conversation conversation;
  for (int i = 0; i < 5; ++i) {
    conversation.messages.push_back({Role::kUser, "q"});
    conversation.messages.push_back({Role::kAssistant, text_of(i < 3 ? 1000 : 9000)});
  }
  const auto session = session_of(conversation, sharegpt_turns_filter());
  ASSERT_TRUE(session);
  EXPECT_EQ(session->turns.size(), 3U);
}

TEST(SessionOf, SixThousandCharactersAreTooMany) {
  const auto of_length = [](std::size_t characters) {
    return session_of(talk({{Role::kUser, "q"}, {Role::kAssistant, text_of(characters - 1)}}),
                      sharegpt_turns_filter());
  };
  EXPECT_TRUE(of_length(5999));
  EXPECT_FALSE(of_length(6000));
}

TEST(SessionOf, CountsCharactersNotBytes) {
  std::string hangul;
  for (int i = 0; i < 5000; ++i) hangul += "가";
  EXPECT_TRUE(
      session_of(talk({{Role::kUser, "q"}, {Role::kAssistant, hangul}}), sharegpt_turns_filter()));
}

TEST(SessionOf, ShareGptTurnsMustStartWithTheUser) {
  const auto conversation = talk(
      {{Role::kAssistant, "second half"}, {Role::kUser, "continue"}, {Role::kAssistant, "sure"}});
  EXPECT_FALSE(session_of(conversation, sharegpt_turns_filter()));
  const auto session = session_of(conversation, {});
  ASSERT_TRUE(session);
  EXPECT_EQ(session->messages.front().text, "continue");
}

TEST(SessionOf, AQuestionWithoutAnAnswerIsNoTurn) {
  EXPECT_FALSE(session_of(talk({{Role::kUser, "only a question"}}), sharegpt_turns_filter()));
  EXPECT_FALSE(session_of(talk({}), sharegpt_turns_filter()));
}

std::string file_of(int conversations) {
  std::string text = "[";
  for (int i = 0; i < conversations; ++i) {
    text += (i > 0 ? "," : "") + std::string(R"({"conversations": [{"from": "human", "value": ")") +
            std::to_string(i) + R"("}, {"from": "gpt", "value": "an answer"}]})";
  }
  return text + "]";
}

std::vector<std::string> questions(const std::string& path, std::uint64_t seed) {
  auto filter = sharegpt_turns_filter();
  filter.seed = seed;
  auto workload = ConversationWorkload::read(path, filter);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < (*workload)->size(); ++i) {
    texts.push_back((*workload)->session(i).messages[0].text);
  }
  return texts;
}

TEST(ConversationWorkload, DrawsTheSameForTheSameSeedAndOtherwiseOthers) {
  const TemporaryFile file(file_of(200));
  EXPECT_EQ(questions(file.path(), 1).size(), 24U);
  EXPECT_EQ(questions(file.path(), 1), questions(file.path(), 1));
  EXPECT_NE(questions(file.path(), 1), questions(file.path(), 2));
}

TEST(ConversationWorkload, TakesAllWhenFewerQualify) {
  const TemporaryFile file(file_of(3));
  auto workload = ConversationWorkload::read(file.path(), sharegpt_turns_filter());
  ASSERT_TRUE(workload);
  EXPECT_EQ((*workload)->size(), 3U);
  EXPECT_EQ((*workload)->request_count(), 3);
}

TEST(ConversationWorkload, SaysWhenNoneQualifies) {
  const TemporaryFile file(R"([{"conversations": []}])");
  const auto workload = ConversationWorkload::read(file.path(), sharegpt_turns_filter());
  ASSERT_FALSE(workload);
  EXPECT_THAT(workload.error().message, HasSubstr("none of its 1 conversations qualifies"));
}

}  // namespace
}  // namespace switchyard::workload
