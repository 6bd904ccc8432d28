#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace switchyard::api {

/// The bytes of a POST request.
inline std::string post(std::string_view path, std::string_view body,
                        std::string_view headers = "") {
  std::string out = "POST " + std::string(path) + " HTTP/1.1\r\nHost: x\r\n";
  out += headers;
  out += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  out += body;
  return out;
}

inline std::string chat(std::string_view body) { return post("/v1/chat/completions", body); }

/// A blocking client that gives up after ten seconds.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval limit{10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::string_view bytes) const {
    ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  void half_close() const { ::shutdown(socket_, SHUT_WR); }

  /// Everything received, once it contains `text`; all there is if the server closes before.
  std::string receive_until(std::string_view text) {
    while (received_.find(text) == std::string::npos && receive()) {
    }
    return received_;
  }
  std::string receive_all() {
    while (receive()) {
    }
    return received_;
  }

 private:
  bool receive() {
    char buffer[4096];
    const ssize_t size = ::recv(socket_, buffer, sizeof(buffer), 0);
    if (size <= 0) return false;
    received_.append(buffer, static_cast<std::size_t>(size));
    return true;
  }

  int socket_;
  std::string received_;
};

}  // namespace switchyard::api
