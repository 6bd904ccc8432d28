#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "api/asio_fwd.h"
#include "api/wake_mailbox.h"

namespace switchyard::api {

/// A client's connection as bytes in and out, with one time limit at a time. Lives on one worker
/// thread; every method is called there. One coroutine uses it; it resumes that coroutine (wait())
/// on input, end of input, time-out, close, and wake-ups through wake_target().
///
/// While an answer is being made the socket is still read: that is how a client that left is
/// noticed, and requests sent ahead are kept (up to kMaxPipelinedBytes).
class ClientSocket : public std::enable_shared_from_this<ClientSocket> {
 public:
  using Clock = std::chrono::steady_clock;

  enum class Phase {
    kIdle,       ///< between requests, no byte of the next one yet
    kReading,    ///< inside a request
    kAnswering,  ///< waiting for the service; an end of input is a legal half-close
    kStreaming,  ///< as kAnswering, but an end of input means that the client is gone
    kClosing,    ///< told the client; reading until it closes too
  };

  /// `socket` is in non-blocking mode. Create with std::make_shared.
  ClientSocket(TcpSocket socket, std::chrono::seconds write_timeout);
  ~ClientSocket();
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;

  /// Starts a phase and its time limit (zero: none).
  void enter(Phase phase, std::chrono::seconds timeout = {});
  Phase phase() const { return phase_; }
  bool timed_out() const { return timed_out_; }
  bool end_of_input() const { return end_of_input_; }
  /// Reset, failed, or closed by us: nothing more can be read or written.
  bool broken() const { return broken_; }

  /// Bytes received and not consumed; the reader erases what it consumes.
  std::string& input() { return input_; }
  /// Reads once in the background, unless a read is under way or there is nothing to read.
  void start_read();
  /// Suspends until something happened since the last wait().
  Awaitable<void> wait();
  /// False if the client cannot be reached or takes no byte for the write time limit.
  Awaitable<bool> write(std::string_view data);
  /// Half-closes, waits shortly for the client to close too, closes.
  Awaitable<void> close_gracefully();

  /// Ends what has been waited for too long. To be called about once a second.
  void on_tick(Clock::time_point now);
  void close();

  /// For waking the coroutine through a WakeMailbox.
  const std::shared_ptr<WakeTarget>& wake_target() const { return wake_target_; }

 private:
  struct Io;

  void on_read(bool end, bool failed, std::size_t size);
  void watch_reset();
  void notify();

  std::unique_ptr<Io> io_;
  std::shared_ptr<WakeTarget> wake_target_ = std::make_shared<WakeTarget>();
  const std::chrono::seconds write_timeout_;
  Phase phase_ = Phase::kIdle;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::string input_;
  bool event_ = false;  ///< something happened that wait() has not reported
  bool timed_out_ = false;
  bool reading_ = false;
  bool writing_ = false;
  bool watching_reset_ = false;
  bool end_of_input_ = false;
  bool broken_ = false;
};

}  // namespace switchyard::api
