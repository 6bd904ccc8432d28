#pragma once

// Private to this folder, like connection.h.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <optional>
#include <thread>
#include <unordered_set>

#include "api/connection.h"
#include "api/wake_mailbox.h"

namespace switchyard::api {

/// One thread that serves its share of the connections; nothing of a connection is shared between
/// threads, so nothing of it is locked.
class HttpWorker {
 public:
  explicit HttpWorker(ServerContext& context);
  ~HttpWorker();
  HttpWorker(const HttpWorker&) = delete;
  HttpWorker& operator=(const HttpWorker&) = delete;

  boost::asio::io_context& io() { return io_; }
  void start();

  // Any thread:
  /// Serves `socket`, which belongs to io().
  void adopt(boost::asio::ip::tcp::socket socket);
  void close_idle();
  /// Closes every connection and joins the thread. Idempotent.
  void stop();

 private:
  void serve(boost::asio::ip::tcp::socket socket);
  void schedule_tick();

  ServerContext& context_;
  boost::asio::io_context io_{1};
  std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> work_;
  WakeMailbox mailbox_;
  boost::asio::steady_timer tick_;
  bool ticking_ = false;
  bool stopping_ = false;
  std::unordered_set<std::shared_ptr<Connection>> connections_;
  std::thread thread_;
};

}  // namespace switchyard::api
