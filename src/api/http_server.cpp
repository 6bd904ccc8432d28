#include "api/http_server.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "api/http_worker.h"
#include "api/server_context.h"

namespace switchyard::api {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int kBacklog = 4096;
// After a failed accept (no file descriptor left): long enough for something to be closed.
constexpr std::chrono::milliseconds kAcceptPause{100};
// Between the service's stop and ours: the error events of streams that it ended.
constexpr std::chrono::seconds kLastWrites{1};
// Descriptors that are not connections: weights, logs, epoll, timers.
constexpr rlim_t kOtherDescriptors = 256;

// Raises the soft limit as far as allowed: the usual 1,024 ends below max_connections.
void raise_descriptor_limit(std::size_t connections) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = connections + kOtherDescriptors;
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = std::min(limit.rlim_max, wanted);
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < wanted) {
    spdlog::warn("only {} open files are allowed: fewer than {} connections can be served",
                 limit.rlim_cur, connections);
  }
}

Result<tcp::endpoint> resolve(const std::string& host, std::uint16_t port, asio::io_context& io) {
  error_code error;
  const auto address = asio::ip::make_address(host, error);
  if (!error) return tcp::endpoint(address, port);
  tcp::resolver resolver(io);
  const auto found = resolver.resolve(host, std::to_string(port), error);
  if (error || found.empty()) {
    return Error{ErrorCode::kIo,
                 fmt::format("cannot listen on '{}': not an address of this host", host), "host"};
  }
  return found.begin()->endpoint();
}

}  // namespace

struct HttpServer::Impl {
  Impl(const ServerOptions& options, service::Service& service, metrics::Metrics& metrics,
       std::string version)
      : context{options, Endpoints(Auth(options.api_keys), service, metrics, std::move(version))} {}

  Result<void> listen();
  void accept_next();
  void on_accept(const error_code& error, tcp::socket socket, HttpWorker& worker);
  void refuse(tcp::socket socket);

  ServerContext context;
  std::vector<std::unique_ptr<HttpWorker>> workers;
  std::optional<tcp::acceptor> acceptor;  ///< on the first worker's thread
  std::optional<asio::steady_timer> accept_pause;
  std::size_t next_worker = 0;
  std::uint16_t port = 0;
};

Result<void> HttpServer::Impl::listen() {
  asio::io_context& io = workers.front()->io();
  const auto endpoint = resolve(context.options.host, context.options.port, io);
  if (!endpoint) return endpoint.error();
  acceptor.emplace(io);
  error_code error;
  if (!error) acceptor->open(endpoint->protocol(), error);
  if (!error) acceptor->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor->bind(*endpoint, error);
  if (!error) acceptor->listen(kBacklog, error);
  if (error) {
    return Error{ErrorCode::kIo,
                 fmt::format("cannot listen on {}:{}: {}", context.options.host,
                             context.options.port, error.message()),
                 "port"};
  }
  port = acceptor->local_endpoint().port();
  accept_pause.emplace(io);
  return {};
}

void HttpServer::Impl::accept_next() {
  HttpWorker& worker = *workers[next_worker];
  next_worker = (next_worker + 1) % workers.size();
  acceptor->async_accept(worker.io(), [this, &worker](const error_code& error, tcp::socket socket) {
    on_accept(error, std::move(socket), worker);
  });
}

void HttpServer::Impl::on_accept(const error_code& error, tcp::socket socket, HttpWorker& worker) {
  if (!acceptor->is_open()) return;
  if (error) {
    accept_pause->expires_after(kAcceptPause);
    accept_pause->async_wait([this](const error_code& cancelled) {
      if (!cancelled && acceptor->is_open()) accept_next();
    });
    return;
  }
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  socket.non_blocking(true, ignored);
  if (context.connections >= context.options.max_connections) {
    refuse(std::move(socket));
  } else {
    worker.adopt(std::move(socket));
  }
  accept_next();
}

void HttpServer::Impl::refuse(tcp::socket socket) {
  const HttpResponse response = error_response({ErrorCode::kQueueFull, "too many connections", {}});
  context.endpoints.count_response(response.status);
  error_code ignored;
  socket.write_some(asio::buffer(serialize(response, {.keep_alive = false})), ignored);
}

HttpServer::HttpServer(const ServerOptions& options, service::Service& service,
                       metrics::Metrics& metrics, std::string version)
    : impl_(std::make_unique<Impl>(options, service, metrics, std::move(version))) {}

HttpServer::~HttpServer() { stop(); }

Result<void> HttpServer::start() {
  raise_descriptor_limit(impl_->context.options.max_connections);
  const int threads = std::max(1, impl_->context.options.http_threads);
  for (int i = 0; i < threads; ++i) {
    impl_->workers.push_back(std::make_unique<HttpWorker>(impl_->context));
  }
  if (auto listening = impl_->listen(); !listening) return listening.error();
  impl_->accept_next();
  for (const auto& worker : impl_->workers) worker->start();
  return {};
}

std::uint16_t HttpServer::port() const { return impl_->port; }

void HttpServer::begin_drain() {
  impl_->context.activity.begin_drain();
  for (const auto& worker : impl_->workers) worker->close_idle();
}

bool HttpServer::wait_idle(std::chrono::steady_clock::time_point deadline) {
  return impl_->context.activity.wait_idle(deadline);
}

void HttpServer::stop() {
  if (impl_->workers.empty() || !impl_->acceptor) return;
  if (impl_->context.activity.draining()) {
    impl_->context.activity.wait_idle(std::chrono::steady_clock::now() + kLastWrites);
  }
  asio::post(impl_->workers.front()->io(), [impl = impl_.get()] {
    error_code ignored;
    impl->acceptor->close(ignored);
    impl->accept_pause->cancel();
  });
  // The first worker's thread accepts: once it is joined no other gets a connection.
  for (const auto& worker : impl_->workers) worker->stop();
}

}  // namespace switchyard::api
