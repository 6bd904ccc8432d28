#include "api/wire_fields.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace switchyard::api {
namespace {

constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();

Result<WireFields> read(const std::string& field, const std::string& value,
                        Endpoint endpoint = Endpoint::kChat) {
  return read_wire_fields(nlohmann::json::parse("{\"" + field + "\":" + value + "}"), endpoint);
}

class TokenLimit : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Names, TokenLimit, testing::Values("max_tokens", "max_completion_tokens"));

std::optional<std::int64_t> limit_of(const WireFields& fields, const std::string& name) {
  return name == "max_tokens" ? fields.max_tokens : fields.max_completion_tokens;
}

TEST_P(TokenLimit, NullIsAbsent) {
  const auto fields = read(GetParam(), "null");
  ASSERT_TRUE(fields);
  EXPECT_EQ(limit_of(*fields, GetParam()), std::nullopt);
}

TEST_P(TokenLimit, RefusesWhatIsNotAPositiveInteger) {
  for (const char* value :
       {"0", "-1", "1.5", "\"16\"", "true", "[]", "{}", "-9223372036854775808", "-1e308", "0.0"}) {
    const auto fields = read(GetParam(), value);
    ASSERT_FALSE(fields) << value;
    EXPECT_EQ(fields.error().param, GetParam());
    EXPECT_EQ(fields.error().code, ErrorCode::kInvalidRequest);
  }
}

TEST_P(TokenLimit, HugeValuesAreClampedWithoutWrapping) {
  for (const char* value : {"2147483647", "2147483648", "9223372036854775807",
                            "18446744073709551615", "1e308", "99999999999999999999999"}) {
    const auto fields = read(GetParam(), value);
    ASSERT_TRUE(fields) << value;
    EXPECT_EQ(limit_of(*fields, GetParam()), kInt32Max) << value;
  }
}

TEST_P(TokenLimit, AWholeFloatIsAnInteger) {
  const auto fields = read(GetParam(), "16.0");
  ASSERT_TRUE(fields);
  EXPECT_EQ(limit_of(*fields, GetParam()), 16);
}

TEST(WireFields, ChoicesOutsideTheirRangeAreRefused) {
  for (const char* value : {"0", "-1", "129", "1000000000", "1.5", "\"2\"", "true"}) {
    const auto fields = read("n", value);
    ASSERT_FALSE(fields) << value;
    EXPECT_EQ(fields.error().param, "n");
  }
  EXPECT_EQ(read("n", "128")->n, 128);
  EXPECT_EQ(read("n", "null")->n, std::nullopt);
}

TEST(WireFields, TemperatureTakesNumbersInItsRangeOnly) {
  for (const char* value : {"2.01", "-0.1", "\"0.5\"", "true", "1e308"}) {
    EXPECT_FALSE(read("temperature", value)) << value;
  }
  for (const char* value : {"0", "-0.0", "1e-45", "2", "2.0"}) {
    EXPECT_TRUE(read("temperature", value)) << value;
  }
}

TEST(WireFields, ErrorTextSaysWhatIsAccepted) {
  EXPECT_EQ(read("n", "0").error().message, "'n' must be an integer from 1 to 128");
  EXPECT_EQ(read("max_tokens", "0").error().message,
            "'max_tokens' must be an integer of at least 1");
  EXPECT_EQ(read("top_p", "2").error().message, "'top_p' must be a number from 0 to 1");
  EXPECT_EQ(read("stream", "1").error().message, "'stream' must be true or false");
  EXPECT_EQ(read("model", "1").error().message, "'model' must be a string");
}

TEST(WireFields, SeedKeepsAllOfItsBits) {
  EXPECT_EQ(read("seed", "9007199254740993")->seed, 9007199254740993);
  EXPECT_EQ(read("seed", "-9223372036854775808")->seed, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read("seed", "9223372036854775807")->seed, std::numeric_limits<std::int64_t>::max());
}

TEST(WireFields, ASeedThatIsNoIntegerOf64BitsIsRefused) {
  for (const char* value : {"9223372036854775808", "18446744073709551615", "-9223372036854775809",
                            "99999999999999999999", "1e19", "-1e308", "9.3e18",
                            "9007199254740993.0", "1.5", "-0.5", "\"1\"", "true"}) {
    const auto fields = read("seed", value);
    ASSERT_FALSE(fields) << value;
    EXPECT_EQ(fields.error().param, "seed");
    EXPECT_EQ(fields.error().message, "'seed' must be an integer that fits in 64 bits with sign");
  }
  EXPECT_EQ(read("seed", "16.0")->seed, 16);
}

TEST(WireFields, NoIntegerFieldTakesAFractionOrWhatIsBelow64Bits) {
  for (const char* field : {"n", "seed", "max_tokens", "min_tokens", "top_k", "top_logprobs"}) {
    for (const char* value : {"1.5", "2147483648.5", "-9223372036854775809", "-1e300"}) {
      const auto fields = read(field, value);
      ASSERT_FALSE(fields) << field << " " << value;
      EXPECT_EQ(fields.error().param, field);
    }
  }
  for (const char* field : {"n", "top_logprobs"}) {
    EXPECT_FALSE(read(field, "18446744073709551615")) << field;
    EXPECT_FALSE(read(field, "1e308")) << field;
  }
}

TEST(WireFields, ACacheSaltIsAShortString) {
  EXPECT_EQ(read("cache_salt", "\"tenant 1\"")->cache_salt, "tenant 1");
  EXPECT_EQ(read("cache_salt", "null")->cache_salt, std::nullopt);
  const auto quoted = [](std::size_t bytes) { return '"' + std::string(bytes, 'x') + '"'; };
  EXPECT_EQ(read("cache_salt", quoted(256), Endpoint::kCompletion)->cache_salt->size(), 256U);
  for (const std::string& value : {quoted(0), quoted(257), std::string("7"), std::string("true"),
                                   std::string("[\"x\"]"), std::string("{}")}) {
    const auto fields = read("cache_salt", value);
    ASSERT_FALSE(fields) << value;
    EXPECT_EQ(fields.error().param, "cache_salt");
    EXPECT_EQ(fields.error().message, "'cache_salt' must be a string of 1 to 256 bytes");
  }
}

TEST(WireFields, LogprobsIsABoolInChatAndANumberInCompletions) {
  EXPECT_EQ(read("logprobs", "true")->logprobs, true);
  EXPECT_FALSE(read("logprobs", "3"));
  EXPECT_EQ(read("logprobs", "3", Endpoint::kCompletion)->logprobs_k, 3);
  EXPECT_FALSE(read("logprobs", "6", Endpoint::kCompletion));
  EXPECT_FALSE(read("logprobs", "true", Endpoint::kCompletion));
}

TEST(WireFields, EveryFieldIsDeclaredOncePerEndpoint) {
  for (const Endpoint endpoint : {Endpoint::kChat, Endpoint::kCompletion}) {
    std::set<std::string_view> names;
    for (const WireField& field : wire_fields()) {
      if ((field.endpoints & static_cast<unsigned>(endpoint)) == 0) continue;
      EXPECT_TRUE(names.insert(field.name).second) << field.name;
      EXPECT_FALSE(field.help.empty()) << field.name;
    }
  }
}

}  // namespace
}  // namespace switchyard::api
