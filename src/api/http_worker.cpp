#include "api/http_worker.h"

#include <spdlog/spdlog.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <thread>
#include <unordered_set>
#include <utility>

#include "api/connection.h"
#include "api/wake_mailbox.h"

namespace switchyard::api {
namespace {

namespace asio = boost::asio;

// Time limits of connections are whole seconds; one timer for all costs less than one each.
constexpr std::chrono::seconds kTick{1};

}  // namespace

// Everything but `thread` is used on the worker's thread only.
struct HttpWorker::Impl {
  explicit Impl(ServerContext& server)
      : context(server),
        work(asio::make_work_guard(io)),
        mailbox([this] { asio::post(io, [this] { mailbox.drain(); }); }),
        tick(io) {}

  void serve(TcpSocket socket);
  void schedule_tick();

  ServerContext& context;
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> work;
  WakeMailbox mailbox;
  asio::steady_timer tick;
  bool ticking = false;
  bool stopping = false;
  std::unordered_set<std::shared_ptr<Connection>> connections;
  std::thread thread;
};

void HttpWorker::Impl::serve(TcpSocket socket) {
  if (stopping) return;
  auto connection = std::make_shared<Connection>(std::move(socket), context, mailbox);
  connections.insert(connection);
  if (!ticking) schedule_tick();
  asio::co_spawn(io, connection->run(), [this, connection](const std::exception_ptr& failure) {
    if (failure) {
      spdlog::error("a connection ended with an unexpected exception");
      connection->socket().close();
    }
    connections.erase(connection);
  });
}

void HttpWorker::Impl::schedule_tick() {
  ticking = true;
  tick.expires_after(kTick);
  tick.async_wait([this](const boost::system::error_code&) {
    ticking = false;
    const auto now = ClientSocket::Clock::now();
    for (const auto& connection : connections) connection->socket().on_tick(now);
    if (!connections.empty() && !stopping) schedule_tick();
  });
}

HttpWorker::HttpWorker(ServerContext& context) : impl_(std::make_unique<Impl>(context)) {}

HttpWorker::~HttpWorker() { stop(); }

asio::io_context& HttpWorker::io() { return impl_->io; }

void HttpWorker::start() {
  impl_->thread = std::thread([impl = impl_.get()] { impl->io.run(); });
}

void HttpWorker::adopt(TcpSocket socket) {
  asio::post(impl_->io, [impl = impl_.get(), socket = std::move(socket)]() mutable {
    impl->serve(std::move(socket));
  });
}

void HttpWorker::close_idle() {
  asio::post(impl_->io, [impl = impl_.get()] {
    for (const auto& connection : impl->connections) {
      ClientSocket& socket = connection->socket();
      if (socket.phase() == ClientSocket::Phase::kIdle) socket.close();
    }
  });
}

void HttpWorker::stop() {
  if (!impl_->thread.joinable()) return;
  asio::post(impl_->io, [impl = impl_.get()] {
    impl->stopping = true;
    impl->tick.cancel();
    for (const auto& connection : impl->connections) connection->socket().close();
    impl->work.reset();
  });
  impl_->thread.join();
  impl_->mailbox.close();
}

}  // namespace switchyard::api
