#include "base/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace switchyard {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    path_ = (folder_ / "deep" / "file").string();
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_ / "deep"), fs::directory_iterator());
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(AtomicFileTest, TheFileAppearsOnCommitAndAlone) {
  auto file = AtomicFile::create(path_);
  ASSERT_TRUE(file) << file.error().message;
  std::ofstream(file->temporary_path()) << "whole";
  EXPECT_FALSE(fs::exists(path_));
  ASSERT_TRUE(file->commit());
  std::string content;
  std::ifstream(path_) >> content;
  EXPECT_EQ(content, "whole");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, WithoutCommitNothingIsLeft) {
  {
    auto file = AtomicFile::create(path_);
    ASSERT_TRUE(file);
    std::ofstream(file->temporary_path()) << "half";
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFileTest, TheRestOfAKilledProcessIsRemovedByTheNext) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = AtomicFile::create(path_);
    ::_exit(file ? 0 : 1);  // no destructor, as when killed
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  ASSERT_EQ(files(), 1);
  {
    auto file = AtomicFile::create(path_);
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFileTest, ATemporaryFileOfALivingProcessIsLeftAlone) {
  fs::create_directories(folder_ / "deep");
  auto living = AtomicFile::create(path_);
  {
    auto file = AtomicFile::create(path_);
    EXPECT_NE(file->temporary_path(), living->temporary_path());
  }
  EXPECT_EQ(files(), 1);
  EXPECT_TRUE(fs::exists(living->temporary_path()));
}

TEST_F(AtomicFileTest, AFolderThatCannotBeMadeIsAnError) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "deep") << "a file where a folder is needed";
  const auto file = AtomicFile::create(path_);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kIo);
}

TEST_F(AtomicFileTest, ATargetThatCannotBeReplacedIsAnErrorAndLeavesNothing) {
  fs::create_directories(path_);  // a folder
  {
    auto file = AtomicFile::create(path_);
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->commit());
  }
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace switchyard
