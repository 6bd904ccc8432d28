#include "api/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace switchyard::api {
namespace {

std::string written(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

std::string written_logprob(float value) {
  std::string out;
  append_json_logprob(value, out);
  return out;
}

TEST(JsonWriter, EveryAsciiCharacterSurvivesAParser) {
  std::string text;
  for (int c = 0; c < 128; ++c) text += static_cast<char>(c);
  EXPECT_EQ(nlohmann::json::parse(written(text)).get<std::string>(), text);
}

TEST(JsonWriter, CharactersBeyondAsciiPassAsTheyAre) {
  EXPECT_EQ(written("\xF0\x9F\x98\x80 \xED\x95\x9C"), "\"\xF0\x9F\x98\x80 \xED\x95\x9C\"");
}

TEST(JsonWriter, EscapesAtTheEnds) { EXPECT_EQ(written("\"a\n"), R"("\"a\n")"); }

TEST(JsonWriter, LogprobsAreFiniteAndNotPositive) {
  EXPECT_EQ(written_logprob(-0.5F), "-0.5");
  EXPECT_EQ(written_logprob(-std::numeric_limits<float>::infinity()), "-9999");
  EXPECT_EQ(written_logprob(std::nanf("")), "-9999");
  EXPECT_EQ(nlohmann::json::parse(written_logprob(1e-7F)).get<double>(), 0.0);
}

}  // namespace
}  // namespace switchyard::api
