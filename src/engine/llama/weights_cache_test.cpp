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
#include <memory>
#include <string>
#include <thread>

#include "engine/llama/test_support.h"
#include "engine/llama/weights_cache_lock.h"

namespace switchyard::engine {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class WeightsCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    const auto file = inspect_gguf(test_model());
    ASSERT_TRUE(file) << file.error().message;
    source_ = {test_model(), *file};
    control_.progress = [this](float done) { progress_ = std::max(progress_, done); };
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result<Weights> derive(const std::string& mode) {
    return WeightsCache(source_, folder_.string())
        .weights_for(resolve_modes({mode})->front(), control_);
  }
  std::string path_of(const std::string& mode) const {
    return (folder_ / ("b179c9523d0e6a0f-" + mode + ".gguf")).string();
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
  SourceModel source_;
  DeriveControl control_;
  float progress_ = 0;
};

TEST_F(WeightsCacheTest, DerivedWeightsAreNamedByTheSourcesHashAndMadeOnce) {
  const auto made = derive("q4_0");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->path, path_of("q4_0"));
  EXPECT_EQ(made->origin, WeightsOrigin::kDerived);
  EXPECT_EQ(main_type(made->file).name, "q4_0");
  EXPECT_GT(progress_, 0.9F);
  EXPECT_EQ(files(), 1);
  const auto written = fs::last_write_time(made->path);
  const auto again = derive("q4_0");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->origin, WeightsOrigin::kCached);
  EXPECT_EQ(tensor_mix(again->file), tensor_mix(made->file));
  EXPECT_EQ(fs::last_write_time(made->path), written);
}

TEST_F(WeightsCacheTest, TheSameFileComesOutAgainWhenAskedTo) {
  ASSERT_TRUE(derive("q8_0"));
  const auto content = [this] {
    std::ifstream file(path_of("q8_0"), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string first = content();
  control_.again = true;
  const auto again = derive("q8_0");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->origin, WeightsOrigin::kDerived);
  EXPECT_TRUE(content() == first);
}

TEST_F(WeightsCacheTest, ACutFileInTheCacheIsMadeAgain) {
  fs::create_directories(folder_);
  std::ofstream(path_of("q4_0")) << "GGUF half of it";
  ASSERT_TRUE(derive("q4_0"));
  EXPECT_TRUE(inspect_gguf(path_of("q4_0")));
}

TEST_F(WeightsCacheTest, AFileOfAnotherTypeUnderTheNameIsMadeAgain) {
  fs::create_directories(folder_);
  fs::copy_file(test_model(), path_of("q4_0"));
  const auto made = derive("q4_0");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->origin, WeightsOrigin::kDerived);
  EXPECT_EQ(main_type(made->file).name, "q4_0");
}

TEST_F(WeightsCacheTest, AFileThatAlreadyHasTheTypeIsUsedItself) {
  const auto weights = derive("q4_1");
  ASSERT_TRUE(weights);
  EXPECT_EQ(weights->path, test_model());
  EXPECT_EQ(weights->origin, WeightsOrigin::kSource);
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(WeightsCacheTest, CancellingBetweenTensorsLeavesNothing) {
  control_.cancelled = [&] { return progress_ > 0.1F; };
  const auto made = derive("q4_0");
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("interrupted"));
  EXPECT_LT(progress_, 0.2F);
  EXPECT_EQ(files(), 0);
}

TEST_F(WeightsCacheTest, AWriteThatFailsIsAnErrorWithItsCauseAndLeavesNothing) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{10'000'000, 10'000'000};  // as a disk that fills up
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto made = derive("q4_0");
    const bool right = !made && made.error().code == ErrorCode::kIo && files() == 0 &&
                       made.error().message.find("File too large") != std::string::npos;
    ::_exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(WeightsCacheTest, TooLittleSpaceIsSaidBeforeWriting) {
  source_.file.header_bytes = std::uint64_t{1} << 52;
  const auto made = derive("q4_0");
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("are free"));
  EXPECT_EQ(progress_, 0);
  EXPECT_EQ(files(), 0);
}

TEST_F(WeightsCacheTest, AProcessThatDerivesTheSameFileIsWaitedFor) {
  fs::create_directories(folder_);
  auto other = std::make_unique<Result<WeightsCacheLock>>(
      WeightsCacheLock::acquire(path_of("q4_0"), [] {}, [] { return false; }));
  ASSERT_TRUE(*other);
  std::jthread owner;
  control_.waiting = [&] {
    fs::copy_file(test_model(), path_of("q4_0"));  // not of the type, so that it is derived after
    owner = std::jthread([&] { other.reset(); });
  };
  const auto made = derive("q4_0");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(owner.joinable());
  EXPECT_EQ(files(), 1);
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
