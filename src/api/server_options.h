#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace switchyard::api {

/// Every limit of the HTTP server. Defaults suit a server that faces clients directly.
struct ServerOptions {
  std::string host = "127.0.0.1";  ///< address or name to listen on
  std::uint16_t port = 8080;       ///< 0 = any free port, see HttpServer::port()
  int http_threads = 1;            ///< each serves its own share of the connections
  std::size_t max_connections = 4096;
  std::size_t max_body_bytes = 8U << 20U;
  /// Of all requests being received or parsed: what hostile clients can make the server hold.
  std::size_t max_total_body_bytes = 256U << 20U;
  std::size_t max_header_bytes = 16U << 10U;
  std::chrono::seconds request_timeout{30};     ///< first byte of a request → its last
  std::chrono::seconds keep_alive_timeout{75};  ///< idle connection, no byte of a request
  std::chrono::seconds write_timeout{60};       ///< client takes no byte of an answer
  std::vector<std::string> api_keys;            ///< empty = open to everyone
};

}  // namespace switchyard::api
