#pragma once

// Private to this folder: the only headers of it that know Boost are this and http_worker.h.

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/activity.h"
#include "api/endpoints.h"
#include "api/server_options.h"
#include "api/wake_mailbox.h"

namespace switchyard::api {

/// What the connections of a server share.
struct ServerContext {
  ServerOptions options;
  Endpoints endpoints;
  Activity activity;
  std::atomic<std::size_t> connections{0};
};

/// One client connection: reads requests, answers them in order. Lives on one worker thread; every
/// method is called there.
///
/// While an answer is being made the socket is still read: that is how a client that left is
/// noticed, and requests sent ahead are kept (up to kMaxPipelinedBytes).
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = std::chrono::steady_clock;

  Connection(boost::asio::ip::tcp::socket socket, ServerContext& context, WakeMailbox& mailbox);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Serves until the connection ends.
  boost::asio::awaitable<void> run();

  /// Ends what has been waited for too long. Called about once a second.
  void on_tick(Clock::time_point now);
  void close();
  void close_if_idle();

 private:
  template <typename T>
  using awaitable = boost::asio::awaitable<T>;
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  enum class Phase {
    kIdle,       ///< between requests, no byte of the next one yet
    kReading,    ///< inside a request
    kAnswering,  ///< waiting for the service
    kWriting,    ///< waiting for the client to take bytes
    kClosing,    ///< told the client; reading until it closes too
  };

  // connection_io.cpp
  void enter(Phase phase, std::chrono::seconds timeout = {});
  void start_read();
  void on_read(const boost::system::error_code& error, std::size_t size);
  void watch_reset();
  void notify();
  awaitable<void> wait();
  awaitable<bool> write(std::string_view data);
  awaitable<void> close_gracefully();

  // connection_read.cpp
  awaitable<bool> read_request();
  awaitable<bool> on_header();
  awaitable<void> refuse(const Error& error);

  // connection_answer.cpp
  awaitable<bool> answer();
  awaitable<bool> send(const HttpResponse& response, Framing framing);
  awaitable<bool> generate(Endpoint endpoint, Framing framing);
  awaitable<bool> answer_whole(const GenerationCall& call,
                               const Endpoints::Generations& generations, Framing framing);
  awaitable<bool> answer_stream(const GenerationCall& call,
                                const Endpoints::Generations& generations, Framing framing);

  boost::asio::ip::tcp::socket socket_;
  ServerContext& context_;
  WakeMailbox& mailbox_;
  std::shared_ptr<WakeTarget> wake_target_ = std::make_shared<WakeTarget>();
  boost::asio::steady_timer event_timer_;  ///< never expires: cancelled to resume run()
  bool event_ = false;

  Phase phase_ = Phase::kIdle;
  Clock::time_point deadline_ = Clock::time_point::max();
  bool timed_out_ = false;

  std::array<char, 4096> chunk_;  ///< what the read in flight writes to
  std::string pending_;           ///< bytes received and not parsed
  bool reading_ = false;
  bool watching_reset_ = false;
  bool streaming_ = false;  ///< an end of input means that the client is gone
  bool end_of_input_ = false;
  bool broken_ = false;  ///< reset, write error or closed by us

  std::optional<Parser> parser_;
  std::optional<HttpResponse> early_answer_;  ///< made from the header alone
};

}  // namespace switchyard::api
