#include "api/request_reader.h"

#include <fmt/format.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/string_body.hpp>
#include <utility>

namespace switchyard::api {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Parser = http::request_parser<http::string_body>;
using Phase = ClientSocket::Phase;

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

Error parse_refusal(const error_code& error, const ServerOptions& options) {
  if (error == http::error::header_limit) {
    return {ErrorCode::kHeaderTooLarge,
            fmt::format("the request header is larger than {} bytes", options.max_header_bytes),
            {}};
  }
  if (error == http::error::body_limit) {
    return {ErrorCode::kPayloadTooLarge,
            fmt::format("the request body is larger than {} bytes", options.max_body_bytes),
            {}};
  }
  return {ErrorCode::kInvalidRequest, "malformed HTTP request", {}};
}

Awaitable<void> send_last(ClientSocket& socket, const ServerContext& context,
                          const HttpResponse& response) {
  context.endpoints.count_response(response.status);
  const std::string bytes = serialize(response, {.keep_alive = false});
  co_await socket.write(bytes);
}

// Moves what has arrived of the request from the socket's input into the parser. The reason if the
// request is not to be read on.
std::optional<Error> feed(Parser& parser, std::string& input, ByteBudget::Share& share,
                          const ServerOptions& options) {
  error_code error;
  while (!input.empty() && !parser.is_done() && !error) {
    const std::size_t used = parser.put(asio::buffer(input), error);
    input.erase(0, used);
  }
  if (error && error != http::error::need_more) return parse_refusal(error, options);
  if (!share.grow_to(parser.get().body().size())) {
    return Error{ErrorCode::kQueueFull, "too many request bodies are being received", {}};
  }
  return std::nullopt;
}

bool expects_continue(const Parser& parser) {
  const auto& request = parser.get();
  return request.version() >= 11 &&
         http::token_list{request[http::field::expect]}.exists("100-continue");
}

// Decides from the header. False if the connection must end with the answer to it.
Awaitable<bool> on_header(ClientSocket& socket, const ServerContext& context, const Parser& parser,
                          std::optional<HttpResponse>& early_answer) {
  const auto& request = parser.get();
  const RequestHead head{request.method_string(), request.target(),
                         request[http::field::authorization]};
  early_answer = context.endpoints.answer_head(head);
  if (parser.is_done()) co_return true;
  if (early_answer) {
    co_await send_last(socket, context, *early_answer);
    co_return false;
  }
  if (!expects_continue(parser)) co_return true;
  co_return co_await socket.write(kContinue);
}

HttpRequest take_request(Parser& parser, ByteBudget::Share body_share,
                         std::optional<HttpResponse> early_answer) {
  auto& request = parser.get();
  HttpRequest out;
  out.target = request.target();
  out.request_id = request["x-request-id"];
  out.body = std::move(request.body());
  out.body_share = std::move(body_share);
  out.head_only = request.method() == http::verb::head;
  out.keep_alive = request.keep_alive();
  out.http_1_0 = request.version() < 11;
  out.early_answer = std::move(early_answer);
  return out;
}

}  // namespace

Awaitable<std::optional<HttpRequest>> read_request(ClientSocket& socket, ServerContext& context) {
  const ServerOptions& options = context.options;
  Parser parser;
  parser.eager(true);
  parser.header_limit(static_cast<std::uint32_t>(options.max_header_bytes));
  parser.body_limit(options.max_body_bytes);
  ByteBudget::Share body_share(context.body_bytes);
  std::optional<HttpResponse> early_answer;
  bool header_seen = false;
  std::string& input = socket.input();
  socket.enter(Phase::kIdle, options.keep_alive_timeout);

  while (true) {
    // Empty lines before a request are to be ignored (RFC 9112, section 2.2).
    if (socket.phase() == Phase::kIdle) input.erase(0, input.find_first_not_of("\r\n"));
    if (socket.phase() == Phase::kIdle && !input.empty()) {
      socket.enter(Phase::kReading, options.request_timeout);
    }
    const std::optional<Error> error = feed(parser, input, body_share, options);
    if (error) {
      const HttpResponse refusal = error_response(*error);
      co_await send_last(socket, context, refusal);
      co_return std::nullopt;
    }
    if (parser.is_header_done() && !header_seen) {
      header_seen = true;
      const bool go_on = co_await on_header(socket, context, parser, early_answer);
      if (!go_on) co_return std::nullopt;
    }
    if (parser.is_done()) {
      co_return take_request(parser, std::move(body_share), std::move(early_answer));
    }
    if (socket.broken() || socket.end_of_input()) co_return std::nullopt;
    if (socket.timed_out()) {
      const HttpResponse refusal =
          error_response({ErrorCode::kRequestTimeout, "the request took too long to arrive", {}});
      if (socket.phase() == Phase::kReading) co_await send_last(socket, context, refusal);
      co_return std::nullopt;
    }
    socket.start_read();
    co_await socket.wait();
  }
}

}  // namespace switchyard::api
