#pragma once

// Only for the *.cpp files of this folder: this header brings in Asio.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <chrono>
#include <string>
#include <unordered_set>

#include "client/request_record.h"

namespace switchyard::client {

/// What the requests of one run share. Used on the run's one thread.
struct RunState {
  boost::asio::ip::tcp::resolver::results_type endpoints;
  std::chrono::steady_clock::time_point start;
  double timeout_seconds = 0;
  bool stopping = false;
  std::unordered_set<boost::beast::tcp_stream*> open;  ///< to be closed by an interrupt

  double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};

/// Sends `bytes` on a new connection and follows the answer's stream to its end, an error or the
/// timeout; fills everything of `record` from `dispatched` on.
boost::asio::awaitable<void> stream_request(RunState& state, const std::string& bytes,
                                            RequestRecord& record);

}  // namespace switchyard::client
