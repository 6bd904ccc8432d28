#include "engine/llama/memory_budget.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace switchyard::engine {
namespace {

namespace fs = std::filesystem;

class MemoryBudget : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) /
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
    write("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable: 1000 kB\n");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& path, const std::string& content) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
  }
  std::optional<std::uint64_t> available() const { return available_memory(root_.string()); }

  fs::path root_;
};

TEST_F(MemoryBudget, WithoutAGroupItIsWhatTheSystemHas) { EXPECT_EQ(available(), 1'024'000U); }

TEST_F(MemoryBudget, AGroupWithoutALimitChangesNothing) {
  write("proc/self/cgroup", "0::/a\n");
  write("sys/fs/cgroup/a/memory.max", "max\n");
  write("sys/fs/cgroup/a/memory.current", "5\n");
  EXPECT_EQ(available(), 1'024'000U);
}

TEST_F(MemoryBudget, TheTightestAncestorCounts) {
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/b/memory.max", "max\n");
  write("sys/fs/cgroup/a/b/memory.current", "5\n");
  write("sys/fs/cgroup/a/memory.max", "5000\n");
  write("sys/fs/cgroup/a/memory.current", "2000\n");
  EXPECT_EQ(available(), 3000U);
}

TEST_F(MemoryBudget, FilePagesOfTheGroupCountAsFree) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "5000\n");
  write("sys/fs/cgroup/memory.current", "4500\n");
  write("sys/fs/cgroup/memory.stat", "anon 500\ninactive_file 1000\nactive_file 2000\n");
  EXPECT_EQ(available(), 3500U);
}

TEST_F(MemoryBudget, ASystemThatDoesNotSayGivesNone) {
  fs::remove(root_ / "proc/meminfo");
  EXPECT_EQ(available(), std::nullopt);
}

}  // namespace
}  // namespace switchyard::engine
