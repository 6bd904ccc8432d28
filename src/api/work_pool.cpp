#include "api/work_pool.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace switchyard::api {
namespace {

namespace asio = boost::asio;

Awaitable<void> call(std::function<void()> work) {
  work();
  co_return;
}

}  // namespace

struct WorkPool::Impl {
  asio::thread_pool threads{1};
};

WorkPool::WorkPool() : impl_(std::make_unique<Impl>()) {}
WorkPool::~WorkPool() { impl_->threads.join(); }

Awaitable<void> WorkPool::run(std::function<void()> work) {
  Awaitable<void> called = call(std::move(work));
  co_await asio::co_spawn(impl_->threads, std::move(called), asio::use_awaitable);
}

}  // namespace switchyard::api
