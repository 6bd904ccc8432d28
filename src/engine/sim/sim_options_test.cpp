#include "engine/sim/sim_options.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace switchyard::engine {
namespace {

const char* const kCost =
    R"({"step_us":1,"pass_us":2,"prefill_token_us":3,"prefill_context_us":4,"decode_us":5,)"
    R"("decode_context_us":6,"copied_token_us":7})";

class ProfileFile : public ::testing::Test {
 protected:
  std::string write(const std::string& text) {
    path_ =
        std::filesystem::path(::testing::TempDir()) /
        (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".json");
    std::ofstream(path_) << text;
    return path_.string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

 private:
  std::filesystem::path path_;
};

TEST(SimSpec, DefaultIsThePlainOptions) {
  const auto options = parse_sim_spec("default");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->streams, 256);
  EXPECT_EQ(options->speed, 1);
}

TEST(SimSpec, SpeedFollowsTheProfile) {
  const auto options = parse_sim_spec("cpu-smollm2,speed=50");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->profile, "cpu-smollm2");
  EXPECT_EQ(options->speed, 50);
}

TEST(SimSpec, ASpeedThatIsNotAPositiveNumberIsAUsageError) {
  for (const char* spec : {"default,speed=0", "default,speed=-1", "default,speed=nan",
                           "default,speed=inf", "default,speed=", "default,speed=2x", ""}) {
    const auto options = parse_sim_spec(spec);
    ASSERT_FALSE(options) << spec;
    EXPECT_EQ(options.error().code, ErrorCode::kUsage) << spec;
  }
}

TEST(SimSpec, AMissingFileIsNamed) {
  const auto options = parse_sim_spec("/no/such/profile.json");
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().code, ErrorCode::kIo);
  EXPECT_NE(options.error().message.find("/no/such/profile.json"), std::string::npos);
}

TEST_F(ProfileFile, EveryFieldIsRead) {
  const auto options = parse_sim_spec(
      write(std::string(R"({"streams":4,"context_tokens":128,"pool_tokens":300,"cost":)") + kCost +
            R"(,"modes":{"q8_0":)" + kCost + "}}"));
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->streams, 4);
  EXPECT_EQ(options->stream_capacity_tokens, 128);
  EXPECT_EQ(options->pool_capacity_tokens, 300);
  EXPECT_EQ(options->cost.decode_context_us, 6);
  EXPECT_EQ(options->cost.copied_token_us, 7);
  EXPECT_EQ(options->mode_costs.at("q8_0").prefill_token_us, 3);
}

TEST_F(ProfileFile, BadDocumentsAreRefusedInOneLine) {
  const std::string good_cost = kCost;
  const std::string negative = good_cost.substr(0, good_cost.size() - 2) + "-6}";
  const std::string huge = good_cost.substr(0, good_cost.size() - 2) + "1e999}";
  const std::string with_cost = R"({"streams":4,"context_tokens":128,"cost":)";
  for (const std::string& text :
       {std::string("[]"), std::string("{"), std::string("{}"), with_cost + negative + "}",
        with_cost + huge + "}", with_cost + R"({"step_us":1}})", with_cost + "3}",
        R"({"streams":0,"context_tokens":128,"cost":)" + good_cost + "}",
        R"({"streams":1.5,"context_tokens":128,"cost":)" + good_cost + "}",
        with_cost + good_cost + R"(,"modes":[1]})", with_cost + good_cost + R"(,"speed":1})"}) {
    const auto options = parse_sim_spec(write(text));
    ASSERT_FALSE(options) << text;
    EXPECT_EQ(options.error().code, ErrorCode::kIo) << text;
    EXPECT_EQ(options.error().message.find('\n'), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace switchyard::engine
