#include "client/load_generator.h"

#include <fmt/format.h>

#include <boost/asio.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <chrono>
#include <utility>

#include "client/stream_request.h"
#include "client/wire.h"

namespace switchyard::client {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

constexpr auto kProgressInterval = std::chrono::milliseconds(500);

class LoadGenerator {
 public:
  LoadGenerator(const workload::Workload& workload,
                const std::optional<workload::Arrivals>& arrivals, const LoadOptions& options)
      : workload_(workload),
        arrivals_(arrivals),
        options_(options),
        signals_(io_, SIGINT, SIGTERM),
        wake_dispatcher_(io_),
        progress_timer_(io_) {
    state_.timeout_seconds = options.timeout_seconds;
  }

  Result<LoadRun> run() {
    boost::system::error_code error;
    asio::ip::tcp::resolver resolver(io_);
    state_.endpoints = std::make_shared<const Endpoints>(
        resolver.resolve(options_.url.host, options_.url.port, error));
    if (error) {
      return Error{ErrorCode::kIo, fmt::format("{}: {}", options_.url.host, error.message()), ""};
    }
    signals_.async_wait([this](const boost::system::error_code& failed, int) {
      if (!failed) interrupt();
    });
    state_.start = Clock::now();
    asio::co_spawn(io_, dispatch(), asio::detached);
    if (options_.on_progress) asio::co_spawn(io_, report_progress(), asio::detached);
    io_.run();
    return finish();
  }

 private:
  /// Starts the sessions in order, each at its time and as --concurrency allows.
  asio::awaitable<void> dispatch() {
    for (std::size_t i = 0; i < workload_.size() && !state_.stopping; ++i) {
      if (arrivals_) co_await wait_until((*arrivals_)[i]);
      while (!state_.stopping && options_.concurrency > 0 && running_ >= options_.concurrency) {
        co_await wait_for_wake(Clock::time_point::max());
      }
      if (state_.stopping) break;
      ++running_;
      const double planned = arrivals_ ? (*arrivals_)[i] : state_.now();
      asio::co_spawn(io_, run_session(i, planned), asio::detached);
    }
    dispatched_all_ = true;
    stop_when_done();
  }

  asio::awaitable<void> wait_until(double seconds) {
    const auto due = state_.start + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(seconds));
    while (!state_.stopping && Clock::now() < due) co_await wait_for_wake(due);
  }

  asio::awaitable<void> wait_for_wake(Clock::time_point deadline) {
    boost::system::error_code ignored;
    wake_dispatcher_.expires_at(deadline);
    co_await wake_dispatcher_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }

  asio::awaitable<void> run_session(std::size_t index, double planned) {
    const workload::Session session = workload_.session(index);
    for (std::size_t turn = 0; turn < session.turns.size() && !state_.stopping; ++turn) {
      RequestRecord record;
      record.session = static_cast<std::int64_t>(index);
      record.turn = static_cast<std::int32_t>(turn);
      record.planned = planned;
      record.asked_output_tokens = session.turns[turn].output_tokens;
      const std::string bytes =
          request_bytes(options_.url, "/v1/chat/completions",
                        chat_body(session, session.turns[turn], options_.body), options_.api_key);
      co_await stream_request(state_, bytes, record);
      planned = record.end;
      if (!record.ok()) ++failed_;
      records_.push_back(std::move(record));
    }
    --running_;
    wake_dispatcher_.cancel();
    stop_when_done();
  }

  asio::awaitable<void> report_progress() {
    while (!done_) {
      options_.on_progress({static_cast<std::int64_t>(records_.size()), failed_,
                            workload_.request_count(), state_.now()});
      boost::system::error_code ignored;
      progress_timer_.expires_after(kProgressInterval);
      co_await progress_timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
  }

  void interrupt() {
    interrupted_ = true;
    state_.stopping = true;
    signals_.clear();  // the next signal ends the process
    for (auto* stream : state_.open) stream->cancel();
    wake_dispatcher_.cancel();
  }

  void stop_when_done() {
    if (!dispatched_all_ || running_ > 0) return;
    done_ = true;
    progress_timer_.cancel();
    signals_.cancel();
  }

  LoadRun finish() {
    LoadRun run;
    run.records = std::move(records_);
    run.interrupted = interrupted_;
    for (const auto& record : run.records) run.seconds = std::max(run.seconds, record.end);
    run.not_sent = workload_.request_count() - static_cast<std::int64_t>(run.records.size());
    return run;
  }

  const workload::Workload& workload_;
  const std::optional<workload::Arrivals>& arrivals_;
  const LoadOptions& options_;
  asio::io_context io_{1};
  asio::signal_set signals_;
  asio::steady_timer wake_dispatcher_;
  asio::steady_timer progress_timer_;
  RunState state_;
  std::vector<RequestRecord> records_;
  std::size_t running_ = 0;  ///< sessions
  std::int64_t failed_ = 0;
  bool dispatched_all_ = false;
  bool done_ = false;
  bool interrupted_ = false;
};

}  // namespace

Result<LoadRun> run_load(const workload::Workload& workload,
                         const std::optional<workload::Arrivals>& arrivals,
                         const LoadOptions& options) {
  return LoadGenerator(workload, arrivals, options).run();
}

}  // namespace switchyard::client
