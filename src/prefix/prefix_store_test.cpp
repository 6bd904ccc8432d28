#include "prefix/prefix_store.h"

#include <gtest/gtest.h>

namespace switchyard::prefix {
namespace {

using Ids = std::vector<core::PrefixId>;

constexpr std::uint64_t kBytesPerToken = 1000;

/// Room for two prefixes of 100 tokens and their fixed bytes, not for a third.
PrefixStore two_of_100() { return PrefixStore(2 * (100 * kBytesPerToken + 4096), kBytesPerToken); }

TEST(PrefixStore, WithoutABudgetHoldsNothing) {
  PrefixStore store(0, kBytesPerToken);
  Ids evicted;
  EXPECT_FALSE(store.enabled());
  EXPECT_FALSE(store.can_hold(1));
  EXPECT_EQ(store.add(1, evicted), 0);
}

TEST(PrefixStore, GivesUpTheLeastRecentlyUsedOfEqualOnes) {
  PrefixStore store = two_of_100();
  Ids evicted;
  const core::PrefixId a = store.add(100, evicted);
  const core::PrefixId b = store.add(100, evicted);
  store.begin_plan();
  store.use(a);
  store.begin_plan();
  store.add(100, evicted);
  EXPECT_EQ(evicted, Ids{b});
  EXPECT_EQ(store.size(), 2U);
}

TEST(PrefixStore, WhatIsNotUsedAgainAgesOutHoweverOftenItWasUsed) {
  PrefixStore store = two_of_100();
  Ids evicted;
  const core::PrefixId once_popular = store.add(100, evicted);
  for (int i = 0; i < 5; ++i) store.use(once_popular);
  for (int i = 0; i < 20; ++i) {
    store.begin_plan();
    store.add(100, evicted);
  }
  EXPECT_NE(std::find(evicted.begin(), evicted.end(), once_popular), evicted.end());
  EXPECT_NE(evicted.front(), once_popular);
}

TEST(PrefixStore, KeepsWhatTheCurrentPlanNeedsAndThenRefuses) {
  PrefixStore store = two_of_100();
  Ids evicted;
  store.add(100, evicted);
  store.add(100, evicted);
  EXPECT_EQ(store.add(100, evicted), 0);
  EXPECT_TRUE(evicted.empty());
  EXPECT_EQ(store.size(), 2U);
}

TEST(PrefixStore, GivesUpAsManyAsALongOneNeedsOrNone) {
  PrefixStore store = two_of_100();
  Ids evicted;
  store.add(100, evicted);
  store.add(100, evicted);
  store.begin_plan();
  EXPECT_FALSE(store.can_hold(205));
  EXPECT_EQ(store.add(205, evicted), 0);
  EXPECT_EQ(store.size(), 2U);
  EXPECT_NE(store.add(190, evicted), 0);
  EXPECT_EQ(evicted.size(), 2U);
  EXPECT_EQ(store.used_bytes(), 190 * kBytesPerToken + 4096);
}

TEST(PrefixStore, RemovedBytesAreFreeAgain) {
  PrefixStore store = two_of_100();
  Ids evicted;
  store.remove(store.add(100, evicted));
  EXPECT_EQ(store.used_bytes(), 0U);
}

}  // namespace
}  // namespace switchyard::prefix
