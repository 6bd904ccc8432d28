#include "api/wake_mailbox.h"

#include <gtest/gtest.h>

namespace switchyard::api {
namespace {

TEST(WakeMailbox, ABurstOfWakeUpsPostsOneDrain) {
  int posts = 0;
  int wakes = 0;
  WakeMailbox mailbox([&] { ++posts; });
  const auto target = std::make_shared<WakeTarget>();
  target->on_wake = [&] { ++wakes; };
  mailbox.notify(target);
  mailbox.notify(target);
  EXPECT_EQ(posts, 1);
  mailbox.drain();
  EXPECT_EQ(wakes, 2);
  mailbox.notify(target);
  EXPECT_EQ(posts, 2);
}

TEST(WakeMailbox, AnEndedInterestIsSkipped) {
  WakeMailbox mailbox([] {});
  auto target = std::make_shared<WakeTarget>();
  target->on_wake = [] { FAIL(); };
  mailbox.notify(target);
  target->on_wake = nullptr;
  mailbox.drain();
}

TEST(WakeMailbox, NothingIsPostedAfterClose) {
  int posts = 0;
  WakeMailbox mailbox([&] { ++posts; });
  mailbox.close();
  mailbox.notify(std::make_shared<WakeTarget>());
  EXPECT_EQ(posts, 0);
}

}  // namespace
}  // namespace switchyard::api
