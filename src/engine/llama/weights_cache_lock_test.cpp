#include "engine/llama/weights_cache_lock.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <thread>

namespace switchyard::engine {
namespace {

namespace fs = std::filesystem;

class WeightsCacheLockTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder_);
    file_ = (folder_ / "weights").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result<WeightsCacheLock> acquire() {
    return WeightsCacheLock::acquire(file_, [this] { ++waits_; }, [this] { return cancelled_; });
  }

  fs::path folder_;
  std::string file_;
  int waits_ = 0;
  bool cancelled_ = false;
};

TEST_F(WeightsCacheLockTest, AFreeLockIsTakenWithoutWaitingAndLeavesNoFile) {
  {
    const auto lock = acquire();
    EXPECT_TRUE(lock);
  }
  EXPECT_EQ(waits_, 0);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(WeightsCacheLockTest, ASecondOwnerWaitsForTheFirstAndThenHoldsIt) {
  auto first = std::make_unique<Result<WeightsCacheLock>>(acquire());
  std::jthread owner;
  const auto second = WeightsCacheLock::acquire(
      file_, [&] { owner = std::jthread([&] { first.reset(); }); }, [] { return false; });
  owner.join();
  ASSERT_TRUE(second);
  cancelled_ = true;
  EXPECT_FALSE(acquire());
  EXPECT_EQ(waits_, 1);
  EXPECT_TRUE(fs::exists(file_ + ".lock"));
}

TEST_F(WeightsCacheLockTest, AFolderThatIsNotThereIsAnError) {
  file_ = (folder_ / "missing" / "weights").string();
  const auto lock = acquire();
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace switchyard::engine
