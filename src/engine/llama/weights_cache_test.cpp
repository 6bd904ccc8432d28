#include "engine/llama/weights_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/llama/test_support.h"

namespace switchyard::engine {
namespace {

namespace fs = std::filesystem;

class WeightsCache : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    const auto file = inspect_gguf(test_model());
    ASSERT_TRUE(file) << file.error().message;
    source_ = {test_model(), *file};
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result<std::string> derive(const std::string& mode) {
    return weights_for_mode(source_, resolve_modes({mode})->front(), folder_.string(),
                            [this](float done) { progress_ = std::max(progress_, done); });
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
  SourceModel source_;
  float progress_ = 0;
};

TEST_F(WeightsCache, DerivedWeightsAreNamedByTheSourcesHashAndMadeOnce) {
  const auto made = derive("q4_0");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(fs::path(*made).filename(), "b179c9523d0e6a0f-q4_0.gguf");
  EXPECT_GT(progress_, 0.9F);
  EXPECT_EQ(files(), 1);
  const auto written = fs::last_write_time(*made);
  ASSERT_TRUE(derive("q4_0"));
  EXPECT_EQ(fs::last_write_time(*made), written);
}

TEST_F(WeightsCache, ACutFileInTheCacheIsMadeAgain) {
  const std::string path = (folder_ / "b179c9523d0e6a0f-q4_0.gguf").string();
  fs::create_directories(folder_);
  std::ofstream(path) << "GGUF half of it";
  ASSERT_TRUE(derive("q4_0"));
  EXPECT_TRUE(inspect_gguf(path));
}

TEST_F(WeightsCache, AFileThatAlreadyHasTheTypeIsUsedItself) {
  source_.file.file_type = resolve_modes({"q4_0"})->front().file_type;
  EXPECT_EQ(*derive("q4_0"), test_model());
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(WeightsCache, AWriteThatFailsIsAnErrorAndLeavesNothing) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{10'000'000, 10'000'000};  // as a disk that fills up
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto made = derive("q4_0");
    const bool right = !made && made.error().code == ErrorCode::kIo && files() == 0;
    ::_exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(WeightsCache, TooLittleSpaceIsSaidBeforeWriting) {
  source_.file.parameters = std::uint64_t{1} << 52;
  const auto made = derive("q4_0");
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, ::testing::HasSubstr("are free"));
  EXPECT_EQ(files(), 0);
}

TEST(CacheFolder, FollowsTheEnvironment) {
  EXPECT_EQ(*cache_folder("/given"), "/given");
  ::setenv("XDG_CACHE_HOME", "/xdg", 1);
  EXPECT_EQ(*cache_folder(""), "/xdg/switchyard");
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(*cache_folder(""), "/home/me/.cache/switchyard");
  ::unsetenv("HOME");
  EXPECT_FALSE(cache_folder(""));
}

}  // namespace
}  // namespace switchyard::engine
