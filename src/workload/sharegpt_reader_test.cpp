#include "workload/sharegpt_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "workload/temporary_file.h"

namespace switchyard::workload {
namespace {

using testing::HasSubstr;

struct Read {
  ShareGptSummary summary;
  std::vector<Conversation> conversations;
};

Read read_ok(std::string_view text) {
  const TemporaryFile file(text);
  Read read;
  auto summary = read_sharegpt(file.path(), [&](Conversation conversation) {
    read.conversations.push_back(std::move(conversation));
  });
  EXPECT_TRUE(summary) << (summary ? "" : summary.error().message);
  if (summary) read.summary = *summary;
  return read;
}

std::string record(std::string_view from, std::string_view value) {
  return R"({"id": "x", "conversations": [{"from": ")" + std::string(from) + R"(", "value": ")" +
         std::string(value) + R"("}]})";
}

TEST(ShareGptReader, TakesTheRoleFromFrom) {
  const Read read = read_ok(std::string("[") + record("human", "a") + "," + record("user", "b") +
                            "," + record("gpt", "c") + "," + record("assistant", "d") + "," +
                            record("chatgpt", "e") + "," + record("system", "f") + "]");
  std::vector<Role> roles;
  for (const auto& c : read.conversations) roles.push_back(c.messages.at(0).role);
  EXPECT_EQ(roles, (std::vector{Role::kUser, Role::kUser, Role::kAssistant, Role::kAssistant,
                                Role::kAssistant, Role::kSystem}));
  EXPECT_FALSE(read.summary.cut);
}

TEST(ShareGptReader, SkipsUnknownRolesWithACount) {
  const Read read =
      read_ok(std::string("[") + record("bing", "a") + "," + record("human", "b") + "]");
  EXPECT_EQ(read.summary.unknown_role_messages, 1);
  EXPECT_EQ(read.summary.conversations, 2);
  EXPECT_TRUE(read.conversations[0].messages.empty());
}

TEST(ShareGptReader, EmptyConversationsAreFine) {
  const Read read = read_ok(R"([{"id": "a", "conversations": []}])");
  EXPECT_EQ(read.summary.empty_conversations, 1);
  EXPECT_EQ(read.summary.bad_records, 0);
}

TEST(ShareGptReader, UsesWholeRecordsOfACutFileAndSaysWhere) {
  const std::string whole = std::string("[") + record("human", "a") + ",\n";
  const std::string text =
      whole + R"({"id": "y", "conversations": [{"from": "human", "value": "cu)";
  const Read read = read_ok(text);
  EXPECT_EQ(read.conversations.size(), 1U);
  EXPECT_TRUE(read.summary.cut);
  EXPECT_EQ(read.summary.cut_offset, text.size());
  EXPECT_EQ(read.summary.cut_record_offset, whole.size());
  EXPECT_THAT(notes_of(read.summary)[0], HasSubstr("cut at byte " + std::to_string(text.size())));
}

TEST(ShareGptReader, BracketsAndQuotesInStringsDoNotEndARecord) {
  const Read read =
      read_ok(std::string("[") + record("human", R"(}]}\"{[\\)") + "," + record("gpt", "b") + "]");
  ASSERT_EQ(read.conversations.size(), 2U);
  EXPECT_EQ(read.conversations[0].messages[0].text, "}]}\"{[\\");
}

TEST(ShareGptReader, ReplacesLoneSurrogatesAndKeepsPairs) {
  const Read read =
      read_ok(std::string("[") + record("human", R"(\ud83d\ude00 \ud83d x \ude00 \\ud83d)") + "]");
  ASSERT_EQ(read.conversations.size(), 1U);
  EXPECT_EQ(read.conversations[0].messages[0].text, "😀 \xEF\xBF\xBD x \xEF\xBF\xBD \\ud83d");
  EXPECT_EQ(read.summary.repaired_surrogates, 2);
}

TEST(ShareGptReader, CountsRecordsThatAreNoConversations) {
  const std::string first = record("human", "a") + ",";
  const Read read =
      read_ok(std::string("[") + first + R"({"a": 1}, {"conversations": 3}, {"conversations":)" +
              R"( [{"from": "human"}]},)" + record("gpt", "b") + "]");
  EXPECT_EQ(read.summary.bad_records, 3);
  EXPECT_EQ(read.summary.first_bad_record_offset, 1 + first.size());
  EXPECT_EQ(read.conversations.size(), 2U);
}

TEST(ShareGptReader, ReadsJsonLinesAsWell) {
  const Read read = read_ok(record("human", "a") + "\n" + record("gpt", "b") + "\n");
  EXPECT_EQ(read.conversations.size(), 2U);
  EXPECT_FALSE(read.summary.cut);
}

TEST(ShareGptReader, RefusesWhatIsNoJson) {
  const TemporaryFile file("TIMESTAMP,ContextTokens\n1,2\n");
  const auto summary = read_sharegpt(file.path(), [](Conversation) {});
  ASSERT_FALSE(summary);
  EXPECT_THAT(summary.error().message, HasSubstr("not an array of JSON records (byte 0)"));
}

TEST(ShareGptReader, ReadsRecordsLargerThanItsBuffer) {
  const Read read = read_ok(std::string("[") + record("human", std::string(1'000'000, 'x')) + "," +
                            record("gpt", "b") + "]");
  ASSERT_EQ(read.conversations.size(), 2U);
  EXPECT_EQ(read.conversations[0].messages[0].text.size(), 1'000'000U);
}

}  // namespace
}  // namespace switchyard::workload
