#include "api/byte_budget.h"

#include <gtest/gtest.h>

#include <optional>

namespace switchyard::api {
namespace {

TEST(ByteBudget, SharesGrowUpToTheLimitTogether) {
  ByteBudget budget(100);
  ByteBudget::Share a(budget);
  ByteBudget::Share b(budget);
  EXPECT_TRUE(a.grow_to(60));
  EXPECT_FALSE(b.grow_to(41));
  EXPECT_TRUE(b.grow_to(40));
  EXPECT_TRUE(b.grow_to(10));
  EXPECT_EQ(budget.used(), 100U);
}

TEST(ByteBudget, AShareIsGivenBackOnceHoweverItMoved) {
  ByteBudget budget(100);
  {
    ByteBudget::Share a(budget);
    EXPECT_TRUE(a.grow_to(70));
    ByteBudget::Share b(std::move(a));
    ByteBudget::Share c;
    c = std::move(b);
    EXPECT_EQ(budget.used(), 70U);
  }
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace switchyard::api
