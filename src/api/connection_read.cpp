// How a connection receives a request.

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/rfc7230.hpp>

#include "api/connection.h"

namespace switchyard::api {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

Error parse_error(const error_code& error, const ServerOptions& options) {
  if (error == http::error::header_limit) {
    return {
        ErrorCode::kHeaderTooLarge,
        "the request header is larger than " + std::to_string(options.max_header_bytes) + " bytes",
        {}};
  }
  if (error == http::error::body_limit) {
    return {ErrorCode::kPayloadTooLarge,
            "the request body is larger than " + std::to_string(options.max_body_bytes) + " bytes",
            {}};
  }
  return {ErrorCode::kInvalidRequest, "malformed HTTP request", {}};
}

}  // namespace

// True when `parser_` holds a whole request. False when the connection must end; what there was to
// say has been said.
Connection::awaitable<bool> Connection::read_request() {
  parser_.emplace();
  parser_->eager(true);
  parser_->header_limit(static_cast<std::uint32_t>(context_.options.max_header_bytes));
  parser_->body_limit(context_.options.max_body_bytes);
  early_answer_.reset();
  bool header_seen = false;
  enter(Phase::kIdle, context_.options.keep_alive_timeout);

  while (true) {
    // Empty lines before a request are to be ignored (RFC 9112, section 2.2).
    if (phase_ == Phase::kIdle) pending_.erase(0, pending_.find_first_not_of("\r\n"));
    if (phase_ == Phase::kIdle && !pending_.empty()) {
      enter(Phase::kReading, context_.options.request_timeout);
    }
    error_code error;
    const std::size_t used = pending_.empty() ? 0 : parser_->put(asio::buffer(pending_), error);
    pending_.erase(0, used);
    if (error && error != http::error::need_more) {
      const Error refusal = parse_error(error, context_.options);
      co_await refuse(refusal);
      co_return false;
    }
    if (parser_->is_header_done() && !header_seen) {
      header_seen = true;
      const bool go_on = co_await on_header();
      if (!go_on) co_return false;
    }
    if (parser_->is_done()) co_return true;
    if (used > 0 && !pending_.empty()) continue;

    if (broken_ || end_of_input_) co_return false;
    if (timed_out_) {
      const Error refusal{ErrorCode::kRequestTimeout, "the request took too long to arrive", {}};
      if (phase_ == Phase::kReading) co_await refuse(refusal);
      co_return false;
    }
    start_read();
    co_await wait();
  }
}

// Decides from the header. False: answered, and the unread body makes the connection useless.
Connection::awaitable<bool> Connection::on_header() {
  const auto& request = parser_->get();
  const auto authorization = request[http::field::authorization];
  early_answer_ =
      context_.endpoints.answer_head({request.method_string(), request.target(), authorization});
  if (parser_->is_done()) co_return true;
  if (early_answer_) {
    context_.endpoints.count_response(early_answer_->status);
    const std::string bytes = serialize(*early_answer_, {.keep_alive = false});
    co_await write(bytes);
    co_return false;
  }
  const bool expects_continue =
      http::token_list{request[http::field::expect]}.exists("100-continue");
  if (!expects_continue || request.version() < 11) co_return true;
  co_return co_await write(kContinue);
}

Connection::awaitable<void> Connection::refuse(const Error& error) {
  const HttpResponse response = error_response(error);
  context_.endpoints.count_response(response.status);
  const std::string bytes = serialize(response, {.keep_alive = false});
  co_await write(bytes);
}

}  // namespace switchyard::api
