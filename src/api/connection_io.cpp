// How a connection waits, reads, writes and ends.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "api/connection.h"

namespace switchyard::api {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kMaxPipelinedBytes = 64U << 10U;
constexpr std::chrono::seconds kLingerTimeout{2};
constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);

}  // namespace

Connection::Connection(tcp::socket socket, ServerContext& context, WakeMailbox& mailbox)
    : socket_(std::move(socket)),
      context_(context),
      mailbox_(mailbox),
      event_timer_(socket_.get_executor(), Clock::time_point::max()) {
  wake_target_->on_wake = [this] { notify(); };
  ++context_.connections;
}

Connection::~Connection() {
  wake_target_->on_wake = nullptr;
  --context_.connections;
}

void Connection::enter(Phase phase, std::chrono::seconds timeout) {
  phase_ = phase;
  timed_out_ = false;
  deadline_ = timeout.count() > 0 ? Clock::now() + timeout : Clock::time_point::max();
}

void Connection::on_tick(Clock::time_point now) {
  if (now < deadline_) return;
  deadline_ = Clock::time_point::max();
  timed_out_ = true;
  if (phase_ == Phase::kWriting) close();
  notify();
}

void Connection::close() {
  broken_ = true;
  error_code ignored;
  socket_.close(ignored);
  notify();
}

void Connection::close_if_idle() {
  if (phase_ == Phase::kIdle) close();
}

void Connection::start_read() {
  if (reading_ || end_of_input_ || broken_ || pending_.size() >= kMaxPipelinedBytes) return;
  reading_ = true;
  socket_.async_read_some(asio::buffer(chunk_),
                          [self = shared_from_this()](const error_code& error, std::size_t size) {
                            self->on_read(error, size);
                          });
}

void Connection::on_read(const error_code& error, std::size_t size) {
  reading_ = false;
  if (phase_ != Phase::kClosing) pending_.append(chunk_.data(), size);
  if (error == asio::error::eof) {
    end_of_input_ = true;
    if (streaming_) close();
  } else if (error) {
    close();
  }
  const bool answering = phase_ == Phase::kAnswering || phase_ == Phase::kWriting;
  if (answering && end_of_input_) watch_reset();
  if (answering) start_read();
  notify();
}

// After the client's FIN a read reports nothing more; a reset still shows as an error condition.
void Connection::watch_reset() {
  if (watching_reset_ || broken_) return;
  watching_reset_ = true;
  socket_.async_wait(tcp::socket::wait_error, [self = shared_from_this()](const error_code& error) {
    if (!error) self->close();
  });
}

void Connection::notify() {
  event_ = true;
  event_timer_.cancel();
}

Connection::awaitable<void> Connection::wait() {
  if (!event_) co_await event_timer_.async_wait(kAwait);
  event_ = false;
}

Connection::awaitable<bool> Connection::write(std::string_view data) {
  const Phase phase_before = phase_;
  const Clock::time_point deadline_before = deadline_;
  while (!broken_) {
    error_code error;
    data.remove_prefix(socket_.write_some(asio::buffer(data), error));
    if (data.empty()) {
      phase_ = phase_before;
      deadline_ = deadline_before;
      co_return true;
    }
    if (error && error != asio::error::would_block) break;
    enter(Phase::kWriting, context_.options.write_timeout);
    co_await socket_.async_wait(tcp::socket::wait_write, kAwait);
  }
  close();
  co_return false;
}

// Closing with unread input would reset the connection and may destroy the answer on its way
// (RFC 9112, section 9.6): half-close, then read until the client closes.
Connection::awaitable<void> Connection::close_gracefully() {
  enter(Phase::kClosing, kLingerTimeout);
  pending_.clear();
  error_code ignored;
  if (!broken_) socket_.shutdown(tcp::socket::shutdown_send, ignored);
  while (!broken_ && !end_of_input_ && !timed_out_) {
    start_read();
    co_await wait();
  }
  close();
}

}  // namespace switchyard::api
