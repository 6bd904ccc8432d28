#include "client/http_call.h"

#include <fmt/format.h>

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>

#include "client/wire.h"

namespace switchyard::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::uint64_t kMaxBodyBytes = 1 << 20;

using Parser = http::response_parser<http::string_body>;

asio::awaitable<beast::error_code> exchange(beast::tcp_stream& stream, const HttpCall& request,
                                            Parser& parser) {
  beast::error_code error;
  auto token = asio::redirect_error(asio::use_awaitable, error);
  asio::ip::tcp::resolver resolver(stream.get_executor());
  const auto endpoints = co_await resolver.async_resolve(request.url.host, request.url.port, token);
  if (error) co_return error;
  co_await stream.async_connect(endpoints, token);
  if (error) co_return error;
  const std::string bytes = request_bytes(request.url, request.path, request.body, request.api_key);
  co_await asio::async_write(stream, asio::buffer(bytes), token);
  if (error) co_return error;
  beast::flat_buffer buffer(kMaxHeaderBytes);
  co_await http::async_read(stream, buffer, parser, token);
  co_return error;
}

}  // namespace

Result<HttpAnswer> call(const HttpCall& request) {
  asio::io_context io(1);
  beast::tcp_stream stream(io);
  stream.expires_after(
      std::chrono::milliseconds(static_cast<std::int64_t>(request.timeout_seconds * 1000)));
  Parser parser;
  parser.body_limit(kMaxBodyBytes);
  beast::error_code error;
  asio::co_spawn(io, exchange(stream, request, parser),
                 [&](const std::exception_ptr&, beast::error_code result) { error = result; });
  io.run();
  if (error) {
    return Error{
        ErrorCode::kIo,
        fmt::format("http://{}{}: {}", request.url.authority(), request.path, error.message()), ""};
  }
  return HttpAnswer{static_cast<int>(parser.get().result_int()), std::move(parser.get().body())};
}

}  // namespace switchyard::client
