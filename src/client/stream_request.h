#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <unordered_set>

#include "client/request_record.h"

// Boost stays in our .cpp files: this declares the few of its types that are named here.
namespace boost::asio {
class any_io_executor;
template <typename T, typename Executor>
class awaitable;
namespace ip {
class tcp;
template <typename Protocol>
class basic_resolver_results;
}  // namespace ip
}  // namespace boost::asio
namespace boost::beast {
class unlimited_rate_policy;
template <class Protocol, class Executor, class RatePolicy>
class basic_stream;
}  // namespace boost::beast

namespace switchyard::client {

template <typename T>
using Awaitable = boost::asio::awaitable<T, boost::asio::any_io_executor>;
using Endpoints = boost::asio::ip::basic_resolver_results<boost::asio::ip::tcp>;
using TcpStream = boost::beast::basic_stream<boost::asio::ip::tcp, boost::asio::any_io_executor,
                                             boost::beast::unlimited_rate_policy>;

/// What the requests of one run share. Used on the run's one thread.
struct RunState {
  std::shared_ptr<const Endpoints> endpoints;  ///< set before the first request
  std::chrono::steady_clock::time_point start;
  double timeout_seconds = 0;
  bool stopping = false;
  std::unordered_set<TcpStream*> open;  ///< to be closed by an interrupt

  double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};

/// Sends `bytes` on a new connection and follows the answer's stream to its end, an error or the
/// timeout; fills everything of `record` from `dispatched` on.
Awaitable<void> stream_request(RunState& state, const std::string& bytes, RequestRecord& record);

}  // namespace switchyard::client
