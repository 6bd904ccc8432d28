#include "api/http_worker.h"

#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

namespace switchyard::api {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// Time limits of connections are whole seconds; one timer for all costs less than one each.
constexpr std::chrono::seconds kTick{1};

}  // namespace

HttpWorker::HttpWorker(ServerContext& context)
    : context_(context),
      work_(asio::make_work_guard(io_)),
      mailbox_([this] { asio::post(io_, [this] { mailbox_.drain(); }); }),
      tick_(io_) {}

HttpWorker::~HttpWorker() { stop(); }

void HttpWorker::start() {
  thread_ = std::thread([this] { io_.run(); });
}

void HttpWorker::adopt(tcp::socket socket) {
  asio::post(io_, [this, socket = std::move(socket)]() mutable { serve(std::move(socket)); });
}

void HttpWorker::serve(tcp::socket socket) {
  if (stopping_) return;
  auto connection = std::make_shared<Connection>(std::move(socket), context_, mailbox_);
  connections_.insert(connection);
  if (!ticking_) schedule_tick();
  asio::co_spawn(io_, connection->run(), [this, connection](const std::exception_ptr& failure) {
    if (failure) {
      spdlog::error("a connection ended with an unexpected exception");
      connection->close();
    }
    connections_.erase(connection);
  });
}

void HttpWorker::schedule_tick() {
  ticking_ = true;
  tick_.expires_after(kTick);
  tick_.async_wait([this](const boost::system::error_code&) {
    ticking_ = false;
    const auto now = Connection::Clock::now();
    for (const auto& connection : connections_) connection->on_tick(now);
    if (!connections_.empty() && !stopping_) schedule_tick();
  });
}

void HttpWorker::close_idle() {
  asio::post(io_, [this] {
    for (const auto& connection : connections_) connection->close_if_idle();
  });
}

void HttpWorker::stop() {
  if (!thread_.joinable()) return;
  asio::post(io_, [this] {
    stopping_ = true;
    tick_.cancel();
    for (const auto& connection : connections_) connection->close();
    work_.reset();
  });
  thread_.join();
  mailbox_.close();
}

}  // namespace switchyard::api
