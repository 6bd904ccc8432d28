#include "scheduler/waiting_queue.h"

#include <gtest/gtest.h>

namespace switchyard::scheduler {
namespace {

std::shared_ptr<const core::Request> request(core::RequestId id, int arrival_seconds = 0) {
  auto r = std::make_shared<core::Request>();
  r->id = id;
  r->arrival = core::TimePoint(std::chrono::seconds(arrival_seconds));
  return r;
}

TEST(WaitingQueue, GivesRequestsInOrderOfPush) {
  WaitingQueue queue;
  queue.push(request(7));
  queue.push(request(3));
  EXPECT_EQ(queue.pop()->id, 7U);
  EXPECT_EQ(queue.front()->id, 3U);
  EXPECT_EQ(queue.size(), 1U);
}

TEST(WaitingQueue, RemovesFromTheMiddleOnce) {
  WaitingQueue queue;
  for (core::RequestId id : {1, 2, 3}) queue.push(request(id));
  EXPECT_TRUE(queue.remove(2));
  EXPECT_FALSE(queue.remove(2));
  EXPECT_EQ(queue.pop()->id, 1U);
  EXPECT_EQ(queue.pop()->id, 3U);
  EXPECT_TRUE(queue.empty());
}

TEST(WaitingQueue, ExpiresOnlyWhatArrivedBeforeTheDeadline) {
  WaitingQueue queue;
  for (int i = 0; i < 4; ++i) queue.push(request(i + 1, i));
  std::vector<core::RequestId> expired;
  queue.expire(core::TimePoint(std::chrono::seconds(2)), expired);
  EXPECT_EQ(expired, (std::vector<core::RequestId>{1, 2}));
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_FALSE(queue.remove(1));
}

TEST(WaitingQueue, ARequestIsOvertakenByThoseThatArriveWithinItsHandicapOnly) {
  WaitingQueue queue;
  queue.push(request(1, 0), std::chrono::seconds(10));
  queue.push(request(2, 9));
  queue.push(request(3, 11));
  EXPECT_EQ(queue.pop()->id, 2U);
  EXPECT_EQ(queue.pop()->id, 1U);
  EXPECT_EQ(queue.pop()->id, 3U);
}

TEST(WaitingQueue, ExpiryGoesByArrivalAlsoOfTheOvertaken) {
  WaitingQueue queue;
  queue.push(request(1, 0), std::chrono::seconds(100));
  queue.push(request(2, 5));
  std::vector<core::RequestId> expired;
  queue.expire(core::TimePoint(std::chrono::seconds(1)), expired);
  EXPECT_EQ(expired, std::vector<core::RequestId>{1});
  EXPECT_EQ(queue.front()->id, 2U);
}

TEST(WaitingQueueDeathTest, RefusesAnIdTwice) {
  WaitingQueue queue;
  queue.push(request(1));
  EXPECT_DEATH(queue.push(request(1)), "already waits");
}

}  // namespace
}  // namespace switchyard::scheduler
