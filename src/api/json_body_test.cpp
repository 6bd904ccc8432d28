#include "api/json_body.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace switchyard::api {
namespace {

std::string nested(int depth) {
  return R"({"a":)" + std::string(static_cast<std::size_t>(depth - 1), '[') +
         std::string(static_cast<std::size_t>(depth - 1), ']') + "}";
}

TEST(JsonBody, ReadsAnObject) {
  const auto body = parse_json_body(R"({"a": [1, "x"]})");
  ASSERT_TRUE(body);
  EXPECT_EQ((*body)["a"][1], "x");
}

TEST(JsonBody, NestingIsAllowedUpToTheLimitAndRefusedPastIt) {
  EXPECT_TRUE(parse_json_body(nested(kMaxJsonDepth)));
  EXPECT_FALSE(parse_json_body(nested(kMaxJsonDepth + 1)));
}

TEST(JsonBody, RefusesOpenBracketsWithoutParsingThem) {
  EXPECT_FALSE(check_json_limits(std::string(200'000, '[')));
  EXPECT_FALSE(check_json_limits(R"({"messages":)" + std::string(200'000, '{')));
}

TEST(JsonBody, BracketsInsideAStringDoNotNest) {
  EXPECT_TRUE(parse_json_body(R"({"a":")" + std::string(1000, '[') + R"(\"[[[["})"));
}

TEST(JsonBody, RefusesMoreValuesThanTheLimit) {
  std::string list = R"({"a":[0)";
  for (std::size_t i = 0; i < kMaxJsonValues; ++i) list += ",0";
  EXPECT_FALSE(parse_json_body(list + "]}"));
}

TEST(JsonBody, RefusesTextThatIsNotUtf8WithoutEchoingIt) {
  for (const std::string bytes : {"\xFF\xFE", "\xC0\xAF", "\xED\xA0\x80", "\xF0\x9F"}) {
    const auto body = parse_json_body(R"({"a":")" + bytes + R"("})");
    ASSERT_FALSE(body);
    EXPECT_EQ(body.error().code, ErrorCode::kInvalidRequest);
    EXPECT_EQ(body.error().message.find(bytes), std::string::npos);
  }
}

TEST(JsonBody, RefusesAByteOrderMarkAndUtf16) {
  EXPECT_FALSE(parse_json_body("\xEF\xBB\xBF{}"));
  EXPECT_FALSE(parse_json_body(std::string("{\0}\0", 4)));
}

TEST(JsonBody, RefusesLoneSurrogateEscapesAndKeepsPairs) {
  EXPECT_FALSE(parse_json_body(R"({"a":"\ud800"})"));
  EXPECT_FALSE(parse_json_body(R"({"a":"\udc00"})"));
  EXPECT_FALSE(parse_json_body(R"({"a":"\ud800\u0041"})"));
  const auto pair = parse_json_body(R"({"a":"\ud83d\ude00"})");
  ASSERT_TRUE(pair);
  EXPECT_EQ((*pair)["a"], "\xF0\x9F\x98\x80");
}

TEST(JsonBody, KeepsAnEscapedNul) {
  const auto body = parse_json_body(R"({"a":"x\u0000y"})");
  ASSERT_TRUE(body);
  EXPECT_EQ((*body)["a"].get<std::string>(), std::string("x\0y", 3));
}

TEST(JsonBody, RefusesNumbersThatAreNotFiniteJson) {
  for (const char* number : {"NaN", "Infinity", "-Infinity", "1e999", "-1e999", "+1", "01"}) {
    EXPECT_FALSE(parse_json_body(std::string(R"({"a":)") + number + "}")) << number;
  }
}

TEST(JsonBody, RefusesWhatIsNotAnObject) {
  for (const char* text : {"", "[]", "1", "null", "{", "{}x", "\"a\""}) {
    EXPECT_FALSE(parse_json_body(text)) << text;
  }
}

TEST(JsonBody, TheLastOfARepeatedKeyCounts) {
  const auto body = parse_json_body(R"({"a":1,"a":2})");
  ASSERT_TRUE(body);
  EXPECT_EQ((*body)["a"], 2);
}

}  // namespace
}  // namespace switchyard::api
