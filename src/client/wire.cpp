#include "client/wire.h"

#include <fmt/format.h>

namespace switchyard::client {

std::string request_bytes(const Url& url, std::string_view path, std::string_view body,
                          std::string_view api_key) {
  std::string bytes =
      fmt::format("{} {}{} HTTP/1.1\r\nHost: {}\r\nUser-Agent: switchyard\r\nConnection: close\r\n",
                  body.empty() ? "GET" : "POST", url.base_path, path, url.authority());
  if (!api_key.empty()) bytes += fmt::format("Authorization: Bearer {}\r\n", api_key);
  if (!body.empty()) {
    bytes += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
  }
  bytes += "\r\n";
  bytes += body;
  return bytes;
}

}  // namespace switchyard::client
