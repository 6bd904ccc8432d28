#include "client/stream_request.h"

#include <array>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <utility>

#include "client/sse_parser.h"
#include "client/stream_event.h"
#include "client/wire.h"

namespace switchyard::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::size_t kReadBytes = 16 * 1024;
constexpr std::size_t kErrorBodyBytes = 4 * 1024;
constexpr std::int64_t kCharactersPerToken = 4;
/// After the answer is complete, how long to wait for the server to end the response, so that it
/// does not see its client leave.
constexpr auto kDrain = std::chrono::seconds(1);

Failure failure_of_status(int status) {
  if (status == 429) return Failure::kHttp429;
  return status >= 400 && status < 500 ? Failure::kHttp4xx : Failure::kHttp5xx;
}

/// One request in flight.
class StreamRequest {
 public:
  StreamRequest(RunState& state, beast::tcp_stream& stream, RequestRecord& record)
      : state_(state), stream_(stream), record_(record) {
    parser_.body_limit(boost::none);
    parser_.header_limit(kMaxHeaderBytes);
  }

  asio::awaitable<void> run(const std::string& bytes) {
    beast::error_code error;
    auto token = asio::redirect_error(asio::use_awaitable, error);
    co_await stream_.async_connect(*state_.endpoints, token);
    if (!error) co_await asio::async_write(stream_, asio::buffer(bytes), token);
    // A server may answer (429) and close before it has read everything: its answer counts.
    if (!error || error == beast::errc::broken_pipe || error == beast::errc::connection_reset) {
      error = {};
      co_await http::async_read_header(stream_, buffer_, parser_, token);
    }
    if (error) {
      fail(Failure::kConnect, error);
      co_return;
    }
    record_.http_status = static_cast<int>(parser_.get().result_int());
    co_await read_body();
  }

 private:
  /// Reads what is there into `chunk`; false at the end of the body or on an error, which is
  /// stored.
  asio::awaitable<std::string_view> read_some(beast::error_code& error) {
    auto& body = parser_.get().body();
    body.data = chunk_.data();
    body.size = chunk_.size();
    body.more = true;
    auto token = asio::redirect_error(asio::use_awaitable, error);
    co_await http::async_read_some(stream_, buffer_, parser_, token);
    if (error == http::error::need_buffer) error = {};
    co_return std::string_view(chunk_.data(), chunk_.size() - body.size);
  }

  asio::awaitable<void> read_body() {
    beast::error_code error;
    std::string refusal;
    while (!error && !parser_.is_done()) {
      const std::string_view bytes = co_await read_some(error);
      if (record_.http_status != 200) {
        refusal.append(
            bytes.substr(0, kErrorBodyBytes - std::min(kErrorBodyBytes, refusal.size())));
        continue;
      }
      if (answered_ || bytes.empty()) continue;
      take(bytes);
      if (record_.failure != Failure::kNone) co_return;
      if (answered_) stream_.expires_after(kDrain);
    }
    if (record_.http_status != 200) {
      record_.failure = failure_of_status(record_.http_status);
      record_.detail = error_message_of(refusal);
    } else if (!answered_) {
      finish_without_done(error);
    }
  }

  /// A stream that ended without [DONE] is whole if its finish reason came and nothing is missing.
  void finish_without_done(const beast::error_code& error) {
    if (!error && !record_.finish_reason.empty()) {
      record_.end = state_.now();
      settle_tokens();
    } else if (error) {
      fail(Failure::kCut, error);
    } else {
      record_.failure = Failure::kCut;
      record_.detail = "the stream ended without a finish reason";
    }
  }

  void take(std::string_view bytes) {
    const double now = state_.now();
    events_.append(bytes);
    while (const auto sse = events_.next()) {
      take_event(read_stream_event(*sse), now);
      if (answered_ || record_.failure != Failure::kNone) return;
    }
    if (events_.overflowed()) {
      record_.failure = Failure::kBadResponse;
      record_.detail = "an event is too large";
    }
  }

  void take_event(const StreamEvent& event, double now) {
    switch (event.kind) {
      case StreamEvent::Kind::kDone:
        answered_ = true;
        record_.end = now;
        settle_tokens();
        return;
      case StreamEvent::Kind::kError:
        record_.failure = Failure::kErrorEvent;
        record_.detail = event.error;
        return;
      case StreamEvent::Kind::kInvalid:
        record_.failure = Failure::kBadResponse;
        record_.detail = event.error;
        return;
      case StreamEvent::Kind::kChunk:
        break;
    }
    if (event.text_characters > 0) {
      if (record_.first_text < 0) {
        record_.first_text = now;
      } else {
        record_.gaps_ms.push_back(static_cast<float>((now - record_.last_text) * 1e3));
      }
      record_.last_text = now;
      characters_ += event.text_characters;
    }
    if (!event.finish_reason.empty()) record_.finish_reason = event.finish_reason;
    if (event.usage) usage_ = event.usage;
  }

  void settle_tokens() {
    if (usage_) {
      record_.prompt_tokens = usage_->prompt_tokens;
      record_.cached_tokens = usage_->cached_tokens;
      record_.output_tokens = usage_->completion_tokens;
      return;
    }
    record_.tokens_estimated = true;
    record_.output_tokens = (characters_ + kCharactersPerToken - 1) / kCharactersPerToken;
  }

  void fail(Failure kind, const beast::error_code& error) {
    const bool timed_out = error == beast::error::timeout;
    record_.failure = timed_out ? Failure::kTimeout : kind;
    record_.detail = error.message();
  }

  RunState& state_;
  beast::tcp_stream& stream_;
  RequestRecord& record_;
  http::response_parser<http::buffer_body> parser_;
  beast::flat_buffer buffer_{kMaxHeaderBytes};
  std::array<char, kReadBytes> chunk_{};
  SseParser events_;
  std::optional<TokenUsage> usage_;
  std::int64_t characters_ = 0;
  bool answered_ = false;  ///< [DONE] came
};

}  // namespace

Awaitable<void> stream_request(RunState& state, const std::string& bytes, RequestRecord& record) {
  beast::tcp_stream stream(co_await asio::this_coro::executor);
  state.open.insert(&stream);
  record.dispatched = state.now();
  stream.expires_after(
      std::chrono::microseconds(static_cast<std::int64_t>(state.timeout_seconds * 1e6)));
  StreamRequest request(state, stream, record);
  co_await request.run(bytes);
  state.open.erase(&stream);
  if (!record.ok()) {
    record.end = state.now();
    if (state.stopping) record.failure = Failure::kInterrupted;
  }
}

}  // namespace switchyard::client
