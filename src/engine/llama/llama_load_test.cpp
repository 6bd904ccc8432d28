#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/llama/llama_engine.h"
#include "engine/llama/test_support.h"

namespace switchyard::engine {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LlamaLoadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& content) const {
    const std::string path = (folder_ / "model.gguf").string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::string start_of_model(std::size_t bytes) const {
    std::string content(bytes, '\0');
    std::ifstream(test_model(), std::ios::binary)
        .read(content.data(), static_cast<std::streamsize>(bytes));
    return content;
  }
  static void expect_refused(const LlamaOptions& options, ErrorCode code, const std::string& why) {
    const auto loaded = load_llama_engine(options, nullptr);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, code);
    EXPECT_THAT(loaded.error().message, HasSubstr(why));
    EXPECT_THAT(loaded.error().message, ::testing::Not(HasSubstr("\n")));
  }
  static void expect_bad_file(const std::string& path, const std::string& why) {
    LlamaOptions options = test_options({"auto"});
    options.model_path = path;
    expect_refused(options, ErrorCode::kIo, why);
    expect_refused(options, ErrorCode::kIo, path);
  }

  fs::path folder_;
};

TEST_F(LlamaLoadTest, AMissingFileIsNamed) { expect_bad_file("/no/such.gguf", "no such file"); }

TEST_F(LlamaLoadTest, AFolderIsNoModel) { expect_bad_file(folder_.string(), "not a regular file"); }

TEST_F(LlamaLoadTest, AFileThatIsNotGgufIsRefused) {
  expect_bad_file(file("{\"json\": true}"), "is not a GGUF file");
}

TEST_F(LlamaLoadTest, AnEmptyFileIsRefused) { expect_bad_file(file(""), "is not a GGUF file"); }

TEST_F(LlamaLoadTest, AFileCutInItsHeaderIsRefused) {
  expect_bad_file(file(start_of_model(100'000)), "header is damaged or cut");
}

TEST_F(LlamaLoadTest, AFileCutInItsDataIsRefusedWithBothSizes) {
  expect_bad_file(file(start_of_model(50'000'000)), "is cut: 50000000 bytes of 98362432");
}

TEST_F(LlamaLoadTest, GarbageBehindTheMagicIsRefused) {
  expect_bad_file(file("GGUF" + std::string(1000, '\xff')), "header is damaged or cut");
}

TEST_F(LlamaLoadTest, AnUnknownModeIsAUsageErrorThatListsTheChoices) {
  expect_refused(test_options({"auto", "q3"}), ErrorCode::kUsage, "q4_K_M");
}

TEST_F(LlamaLoadTest, ARepeatedModeIsAUsageError) {
  expect_refused(test_options({"q8_0", "q8_0"}), ErrorCode::kUsage, "listed twice");
}

TEST_F(LlamaLoadTest, AContextLargerThanMemoryIsRefusedWithBothSizes) {
  LlamaOptions options = test_options({"auto"});
  options.context_tokens = 2'000'000'000;
  expect_refused(options, ErrorCode::kIo, "bytes are available");
}

TEST_F(LlamaLoadTest, AContextLargerThanTheTrainedIsAUsageError) {
  LlamaOptions options = test_options({"auto"});
  options.context_tokens = 10'000;
  expect_refused(options, ErrorCode::kUsage, "8192");
}

TEST_F(LlamaLoadTest, OptionsOutOfRangeAreUsageErrors) {
  LlamaOptions options = test_options({"auto"});
  options.max_sequences = 0;
  expect_refused(options, ErrorCode::kUsage, "sequences");
  options = test_options({"auto"});
  options.threads = -1;
  expect_refused(options, ErrorCode::kUsage, "threads");
}

TEST_F(LlamaLoadTest, ACacheThatCannotBeWrittenIsNamedAndNothingIsLeft) {
  LlamaOptions options = test_options({"q8_0"});
  options.cache_dir = file("a file where a folder is needed");
  expect_refused(options, ErrorCode::kIo, options.cache_dir);
}

TEST_F(LlamaLoadTest, AContextOfZeroIsTheDefaultAndProgressEndsAtOne) {
  LlamaOptions options = test_options({"auto"});
  options.context_tokens = 0;
  options.max_sequences = 1;
  float last = -1;
  const auto loaded = load_llama_engine(options, [&](float done) {
    EXPECT_GE(done, last);
    last = done;
  });
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->lanes()[0].stream_capacity_tokens, 2048);
  EXPECT_FLOAT_EQ(last, 1.0F);
}

TEST_F(LlamaLoadTest, AnOddContextIsKeptAsAskedFor) {
  LlamaOptions options = test_options({"auto"});
  options.context_tokens = 100;
  options.max_sequences = 3;
  const auto loaded = load_llama_engine(options, nullptr);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->lanes()[0].stream_capacity_tokens, 100);
}

}  // namespace
}  // namespace switchyard::engine
