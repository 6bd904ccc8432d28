#include "api/prompts.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace switchyard::api {
namespace {

constexpr std::int32_t kVocabulary = 100;
using Tokens = std::vector<core::TokenId>;

Result<std::vector<Prompt>> read(const std::string& prompt) {
  return read_prompts(nlohmann::json::parse("{\"prompt\":" + prompt + "}"), kVocabulary);
}

TEST(Prompts, AStringIsOnePrompt) {
  const auto prompts = read(R"("hi")");
  ASSERT_TRUE(prompts);
  ASSERT_EQ(prompts->size(), 1U);
  EXPECT_EQ(std::get<std::string>(prompts->front()), "hi");
}

TEST(Prompts, AListOfIdsIsOnePrompt) {
  const auto prompts = read("[1,2,99]");
  ASSERT_TRUE(prompts);
  ASSERT_EQ(prompts->size(), 1U);
  EXPECT_EQ(std::get<Tokens>(prompts->front()), (Tokens{1, 2, 99}));
}

TEST(Prompts, AListOfStringsOrOfIdListsIsOnePromptEach) {
  EXPECT_EQ(read(R"(["a","b"])")->size(), 2U);
  EXPECT_EQ(read("[[1],[2,3]]")->size(), 2U);
}

TEST(Prompts, RefusesEverythingElse) {
  for (const char* prompt : {"null", "1", "true", "{}", "[]", "[null]", "[{}]", "[1,\"a\"]",
                             "[\"a\",1]", "[-1]", "[100]", "[1.5]", "[[1,\"a\"]]", "[true]"}) {
    const auto refused = read(prompt);
    ASSERT_FALSE(refused) << prompt;
    EXPECT_EQ(refused.error().param, "prompt");
  }
  EXPECT_FALSE(read_prompts(nlohmann::json::object(), kVocabulary));
}

}  // namespace
}  // namespace switchyard::api
