#include "base/bounded_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace switchyard {
namespace {

TEST(BoundedQueue, RefusesPastItsCapacity) {
  BoundedQueue<int> queue(2);
  EXPECT_TRUE(queue.try_push(1));
  EXPECT_TRUE(queue.try_push(2));
  EXPECT_FALSE(queue.try_push(3));
  EXPECT_EQ(queue.drain().size(), 2U);
  EXPECT_TRUE(queue.try_push(4));
}

TEST(BoundedQueue, ClosingWakesTheConsumerAndKeepsWhatIsThere) {
  BoundedQueue<int> queue(4);
  ASSERT_TRUE(queue.try_push(7));
  std::thread closer([&] { queue.close(); });
  std::size_t taken = queue.wait_drain().size();
  closer.join();
  taken += queue.wait_drain().size();
  EXPECT_EQ(taken, 1U);
  EXPECT_FALSE(queue.try_push(8));
}

TEST(BoundedQueue, DeliversEveryItemOnceAcrossThreads) {
  constexpr int kPerThread = 2000;
  BoundedQueue<int> queue(3 * kPerThread);
  std::vector<std::thread> producers;
  for (int t = 0; t < 3; ++t) {
    producers.emplace_back([&queue, t] {
      for (int i = 0; i < kPerThread; ++i) ASSERT_TRUE(queue.try_push(t * kPerThread + i));
    });
  }
  std::vector<bool> seen(3 * kPerThread, false);
  for (int taken = 0; taken < 3 * kPerThread;) {
    for (int item : queue.wait_drain()) {
      EXPECT_FALSE(seen[item]);
      seen[item] = true;
      ++taken;
    }
  }
  for (auto& producer : producers) producer.join();
}

}  // namespace
}  // namespace switchyard
