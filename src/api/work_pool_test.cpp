#include "api/work_pool.h"

#include <gtest/gtest.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <thread>

namespace switchyard::api {
namespace {

namespace asio = boost::asio;

TEST(WorkPool, TheCallersThreadGoesOnMeanwhileAndTheCallerComesBackToIt) {
  WorkPool pool;
  asio::io_context io;
  std::promise<void> other_work_done;
  std::thread::id worked_on;
  std::thread::id came_back_on;
  const std::function<void()> work = [&] {
    worked_on = std::this_thread::get_id();
    other_work_done.get_future().wait();  // forever, if this ran on the caller's thread
  };
  const auto caller = [&]() -> Awaitable<void> {
    co_await pool.run(work);
    came_back_on = std::this_thread::get_id();
  };
  asio::co_spawn(io, caller, asio::detached);
  asio::post(io, [&] { other_work_done.set_value(); });
  io.run();
  EXPECT_NE(worked_on, std::this_thread::get_id());
  EXPECT_EQ(came_back_on, std::this_thread::get_id());
}

}  // namespace
}  // namespace switchyard::api
