#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "api/server_options.h"
#include "base/result.h"

namespace switchyard::metrics {
class Metrics;
}
namespace switchyard::service {
class Service;
}

namespace switchyard::api {

/// The HTTP side of the server: accepts connections, answers with the service's results.
/// Outlived by `service` and `metrics`. Methods may be called from any one thread.
///
/// Shutdown: service.begin_shutdown() → begin_drain() → wait_idle(grace) → service.stop() →
/// stop().
class HttpServer {
 public:
  HttpServer(const ServerOptions& options, service::Service& service, metrics::Metrics& metrics,
             std::string version);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Binds, listens and starts the worker threads. kIo with one clear line if it cannot.
  Result<void> start();
  /// The bound port. Precondition: started.
  std::uint16_t port() const;

  /// Every answer from now on closes its connection, and idle connections are closed. New ones are
  /// still accepted, so that they get the service's refusal.
  void begin_drain();
  /// Blocks until no request is being answered, or the deadline passes; true if none is.
  bool wait_idle(std::chrono::steady_clock::time_point deadline);
  /// Closes everything, running answers too, and joins the threads. While draining, answers that
  /// the service has ended get a moment to be written. Idempotent.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace switchyard::api
