#pragma once

#include <memory>

#include "api/asio_fwd.h"
#include "api/server_context.h"

namespace switchyard::api {

/// One thread that serves its share of the connections; nothing of a connection is shared between
/// threads, so nothing of it is locked.
class HttpWorker {
 public:
  explicit HttpWorker(ServerContext& context);
  ~HttpWorker();
  HttpWorker(const HttpWorker&) = delete;
  HttpWorker& operator=(const HttpWorker&) = delete;

  boost::asio::io_context& io();
  void start();

  // Any thread:
  /// Serves `socket`, which belongs to io().
  void adopt(TcpSocket socket);
  /// Closes the connections that wait for a request.
  void close_idle();
  /// Closes every connection and joins the thread. Idempotent.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace switchyard::api
