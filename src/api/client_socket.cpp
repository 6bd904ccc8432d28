#include "api/client_socket.h"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace switchyard::api {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kMaxPipelinedBytes = 64U << 10U;
// Small, because thousands of idle connections have one each.
constexpr std::size_t kReadBytes = 4096;
constexpr std::chrono::seconds kLingerTimeout{2};
constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);

}  // namespace

struct ClientSocket::Io {
  explicit Io(TcpSocket client)
      : socket(std::move(client)), event(socket.get_executor(), Clock::time_point::max()) {}

  TcpSocket socket;
  asio::steady_timer event;  ///< never expires: cancelled to resume wait()
  std::array<char, kReadBytes> chunk;
};

ClientSocket::ClientSocket(TcpSocket socket, std::chrono::seconds write_timeout)
    : io_(std::make_unique<Io>(std::move(socket))), write_timeout_(write_timeout) {
  wake_target_->on_wake = [this] { notify(); };
}

ClientSocket::~ClientSocket() { wake_target_->on_wake = nullptr; }

void ClientSocket::enter(Phase phase, std::chrono::seconds timeout) {
  phase_ = phase;
  timed_out_ = false;
  deadline_ = timeout.count() > 0 ? Clock::now() + timeout : Clock::time_point::max();
  if (phase == Phase::kAnswering && end_of_input_) watch_reset();
  if (phase == Phase::kStreaming && end_of_input_) close();
}

void ClientSocket::on_tick(Clock::time_point now) {
  if (now < deadline_) return;
  deadline_ = Clock::time_point::max();
  timed_out_ = true;
  if (writing_) close();
  notify();
}

void ClientSocket::close() {
  broken_ = true;
  error_code ignored;
  io_->socket.close(ignored);
  notify();
}

void ClientSocket::start_read() {
  if (reading_ || end_of_input_ || broken_) return;
  if (input_.size() >= kMaxPipelinedBytes) return watch_reset();
  reading_ = true;
  io_->socket.async_read_some(
      asio::buffer(io_->chunk),
      [self = shared_from_this()](const error_code& error, std::size_t size) {
        const bool end = error == asio::error::eof;
        self->on_read(end, error && !end, size);
      });
}

void ClientSocket::on_read(bool end, bool failed, std::size_t size) {
  reading_ = false;
  if (phase_ != Phase::kClosing) input_.append(io_->chunk.data(), size);
  end_of_input_ = end_of_input_ || end;
  if (failed || (end && phase_ == Phase::kStreaming)) close();
  if (phase_ == Phase::kAnswering || phase_ == Phase::kStreaming) {
    if (end) watch_reset();
    start_read();
  }
  notify();
}

// After the client's FIN, or while too much is pipelined to read on, no read would report a reset;
// it still shows as an error condition.
void ClientSocket::watch_reset() {
  if (watching_reset_ || broken_) return;
  watching_reset_ = true;
  io_->socket.async_wait(tcp::socket::wait_error,
                         [self = shared_from_this()](const error_code& error) {
                           if (!error) self->close();
                         });
}

void ClientSocket::notify() {
  event_ = true;
  io_->event.cancel();
}

Awaitable<void> ClientSocket::wait() {
  if (!event_) co_await io_->event.async_wait(kAwait);
  event_ = false;
}

Awaitable<bool> ClientSocket::write(std::string_view data) {
  const Clock::time_point deadline_before = deadline_;
  while (!broken_) {
    error_code error;
    data.remove_prefix(io_->socket.write_some(asio::buffer(data), error));
    if (data.empty()) {
      writing_ = false;
      deadline_ = deadline_before;
      co_return true;
    }
    if (error && error != asio::error::would_block) break;
    writing_ = true;
    deadline_ = Clock::now() + write_timeout_;
    co_await io_->socket.async_wait(tcp::socket::wait_write, kAwait);
  }
  writing_ = false;
  close();
  co_return false;
}

// Closing with unread input would reset the connection and may destroy the answer on its way
// (RFC 9112, section 9.6).
Awaitable<void> ClientSocket::close_gracefully() {
  enter(Phase::kClosing, kLingerTimeout);
  input_.clear();
  error_code ignored;
  if (!broken_) io_->socket.shutdown(tcp::socket::shutdown_send, ignored);
  while (!broken_ && !end_of_input_ && !timed_out_) {
    start_read();
    co_await wait();
  }
  close();
}

}  // namespace switchyard::api
