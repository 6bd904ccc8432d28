#include "base/progress.h"

#include <gtest/gtest.h>

#include <limits>

namespace switchyard {
namespace {

TEST(Progress, TheLineShowsFractionAndTimeLeft) {
  EXPECT_EQ(progress_line("loading", 0.5, 12),
            "loading [############            ]  50 %  12 s left");
}

TEST(Progress, NothingDoneShowsNoTimeLeft) {
  EXPECT_EQ(progress_line("loading", 0, 12), "loading [                        ]   0 %");
}

TEST(Progress, FractionsOutOfRangeAreClamped) {
  EXPECT_EQ(progress_line("x", 7, 1), progress_line("x", 1, 1));
  EXPECT_EQ(progress_line("x", -1, 1), progress_line("x", 0, 1));
  EXPECT_EQ(progress_line("x", std::numeric_limits<double>::quiet_NaN(), 1),
            progress_line("x", 0, 1));
}

TEST(Progress, NothingIsWrittenWhereThereIsNoTerminal) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    Progress progress("loading", file);
    progress.update(0.5);
  }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace switchyard
