#include "api/valid_request.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace switchyard::api {
namespace {

constexpr std::int32_t kVocabulary = 1000;
constexpr std::uint32_t kRandomSeed = 77;

Result<ValidRequest> read(const std::string& text, Endpoint endpoint = Endpoint::kChat) {
  auto wire = read_wire_request(nlohmann::json::parse(text), endpoint);
  if (!wire) return wire.error();
  return validate(std::move(*wire), endpoint, kVocabulary, kRandomSeed);
}

TEST(ValidRequest, DefaultsAreThoseOfTheOpenAiApi) {
  const auto chat = read("{}");
  ASSERT_TRUE(chat);
  EXPECT_EQ(chat->max_tokens, std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(chat->n, 1);
  EXPECT_EQ(chat->sampling.temperature, 1.0F);
  EXPECT_EQ(chat->sampling.top_logprobs, -1);
  EXPECT_EQ(chat->sampling.seed, kRandomSeed);
  EXPECT_EQ(read("{}", Endpoint::kCompletion)->max_tokens, 16);
}

TEST(ValidRequest, NewerNameOfTheTokenLimitWins) {
  EXPECT_EQ(read(R"({"max_tokens":5,"max_completion_tokens":7})")->max_tokens, 7);
}

TEST(ValidRequest, TemperatureZeroOrTopPZeroIsGreedy) {
  for (const char* text : {R"({"temperature":0})", R"({"temperature":-0.0})", R"({"top_p":0})",
                           R"({"temperature":1e-45})", R"({"temperature":0,"top_p":0})"}) {
    const auto request = read(text);
    ASSERT_TRUE(request) << text;
    EXPECT_EQ(request->sampling.temperature, 0.0F) << text;
    EXPECT_EQ(request->sampling.top_p, 1.0F) << text;
  }
}

TEST(ValidRequest, SmallSeedsAreKeptAndWideOnesFolded) {
  EXPECT_EQ(read(R"({"seed":42})")->sampling.seed, 42U);
  EXPECT_EQ(read(R"({"seed":4294967297})")->sampling.seed, 0U);
  EXPECT_EQ(read(R"({"seed":8589934593})")->sampling.seed, 3U);
}

TEST(ValidRequest, MinTokensNeverExceedsMaxTokens) {
  EXPECT_EQ(read(R"({"max_tokens":4,"min_tokens":9})")->sampling.min_tokens, 4);
}

TEST(ValidRequest, TopLogprobsNeedsLogprobs) {
  EXPECT_EQ(read(R"({"logprobs":true,"top_logprobs":3})")->sampling.top_logprobs, 3);
  EXPECT_EQ(read(R"({"logprobs":true})")->sampling.top_logprobs, 0);
  EXPECT_EQ(read(R"({"top_logprobs":0})")->sampling.top_logprobs, -1);
  const auto refused = read(R"({"top_logprobs":3})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().param, "top_logprobs");
  EXPECT_EQ(read(R"({"logprobs":2})", Endpoint::kCompletion)->sampling.top_logprobs, 2);
}

TEST(ValidRequest, StopIsAStringOrAShortListOfStrings) {
  EXPECT_EQ(read(R"({"stop":"a"})")->stop, std::vector<std::string>{"a"});
  EXPECT_EQ(read(R"({"stop":["a","b","c","d"]})")->stop.size(), 4U);
  EXPECT_TRUE(read(R"({"stop":null})")->stop.empty());
  EXPECT_TRUE(read(R"({"stop":[]})")->stop.empty());
  const std::string too_long = "\"" + std::string(257, 'x') + "\"";
  for (const char* stop : {"1", "[1]", "[null]", "\"\"", "[\"\"]", "{}", "true",
                           R"(["a","b","c","d","e"])", too_long.c_str()}) {
    const auto refused = read(std::string("{\"stop\":") + stop + "}");
    ASSERT_FALSE(refused) << stop;
    EXPECT_EQ(refused.error().param, "stop");
  }
}

TEST(ValidRequest, LogitBiasNamesTokensOfTheVocabulary) {
  const auto request = read(R"({"logit_bias":{"5":-100,"999":1.5}})");
  ASSERT_TRUE(request);
  ASSERT_EQ(request->sampling.logit_bias.size(), 2U);
  EXPECT_EQ(request->sampling.logit_bias[0].token, 5);
  EXPECT_EQ(request->sampling.logit_bias[0].bias, -100.0F);
  for (const char* value :
       {R"({"1000":1})", R"({"-1":1})", R"({"x":1})", R"({"5 ":1})", R"({"5":101})", R"({"5":"1"})",
        R"({"5":null})", "[]", "1", R"({"99999999999999999999":1})", R"({"":1})"}) {
    const auto refused = read(std::string("{\"logit_bias\":") + value + "}");
    ASSERT_FALSE(refused) << value;
    EXPECT_EQ(refused.error().param, "logit_bias");
  }
}

TEST(ValidRequest, UsageEventIsSentOnlyWhenAskedFor) {
  EXPECT_FALSE(read("{}")->include_usage);
  EXPECT_FALSE(read(R"({"stream_options":null})")->include_usage);
  EXPECT_FALSE(read(R"({"stream_options":{}})")->include_usage);
  EXPECT_FALSE(read(R"({"stream_options":{"include_usage":false}})")->include_usage);
  EXPECT_TRUE(read(R"({"stream_options":{"include_usage":true}})")->include_usage);
  EXPECT_FALSE(read(R"({"stream_options":{"include_usage":1}})"));
  EXPECT_FALSE(read(R"({"stream_options":[]})"));
}

TEST(ValidRequest, WhatWouldChangeTheAnswerButIsNotServedIsRefusedByName) {
  const std::pair<const char*, const char*> cases[] = {
      {"response_format", R"({"type":"json_object"})"},
      {"response_format", R"({"type":"json_schema","json_schema":{}})"},
      {"response_format", R"("text")"},
      {"tools", R"([{"type":"function"}])"},
      {"tool_choice", R"("required")"},
      {"functions", "[{}]"},
      {"modalities", R"(["text","audio"])"},
      {"audio", R"({"voice":"x"})"},
      {"grammar", R"("root ::= [a]")"},
      {"guided_regex", R"("a+")"},
  };
  for (const auto& [field, value] : cases) {
    const auto refused = read(std::string("{\"") + field + "\":" + value + "}");
    ASSERT_FALSE(refused) << field << " " << value;
    EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(refused.error().param, field);
  }
}

TEST(ValidRequest, NeutralValuesOfUnservedFieldsPass) {
  for (const char* text :
       {R"({"response_format":{"type":"text"}})", R"({"response_format":null})", R"({"tools":[]})",
        R"({"tool_choice":"none"})", R"({"modalities":["text"]})", R"({"audio":null})",
        R"({"unknown_extension":{"a":1}})", R"({"user":"me"})"}) {
    EXPECT_TRUE(read(text)) << text;
  }
}

TEST(ValidRequest, CompletionOnlyFieldsAreRefusedWhereTheyMatter) {
  EXPECT_FALSE(read(R"({"echo":true})", Endpoint::kCompletion));
  EXPECT_FALSE(read(R"({"suffix":"x"})", Endpoint::kCompletion));
  EXPECT_FALSE(read(R"({"best_of":2})", Endpoint::kCompletion));
  EXPECT_TRUE(read(R"({"echo":false,"suffix":null,"best_of":1})", Endpoint::kCompletion));
}

}  // namespace
}  // namespace switchyard::api
