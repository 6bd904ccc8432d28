#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace switchyard::client {

enum class Failure {
  kNone,
  kConnect,  ///< no connection, or it broke before the status line
  kHttp429,
  kHttp4xx,
  kHttp5xx,     ///< also any other status than 200
  kErrorEvent,  ///< an error object inside the stream
  kCut,         ///< the stream ended without a finish reason or [DONE]
  kTimeout,
  kBadResponse,  ///< not what an OpenAI-compatible server sends
  kInterrupted,  ///< by Ctrl-C; not the server's fault
};

inline constexpr std::array kFailureNames = {
    std::string_view("none"),       std::string_view("connect"),  std::string_view("http_429"),
    std::string_view("http_4xx"),   std::string_view("http_5xx"), std::string_view("error_event"),
    std::string_view("cut"),        std::string_view("timeout"),  std::string_view("bad_response"),
    std::string_view("interrupted")};

inline std::string_view name_of(Failure failure) {
  return kFailureNames[static_cast<std::size_t>(failure)];
}

/// One request as its client saw it. Times are seconds since the run's start; < 0 = did not happen.
struct RequestRecord {
  std::int64_t session = 0;
  std::int32_t turn = 0;
  double planned = 0;     ///< when the workload wanted it sent
  double dispatched = 0;  ///< when it was: later if --concurrency held it back
  double first_text = -1;
  double last_text = -1;
  double end = 0;
  std::vector<float> gaps_ms;  ///< between consecutive events with text

  std::int64_t prompt_tokens = 0;
  std::int64_t cached_tokens = 0;
  std::int64_t output_tokens = 0;
  bool tokens_estimated = false;  ///< the server sent no usage: output_tokens = characters / 4
  std::int32_t asked_output_tokens = 0;
  std::string finish_reason;

  Failure failure = Failure::kNone;
  int http_status = 0;
  std::string detail;  ///< of the failure, one line

  bool ok() const { return failure == Failure::kNone; }
  double ttft_ms() const { return (first_text - planned) * 1e3; }
  double e2e_ms() const { return (end - planned) * 1e3; }
  double dispatch_lag_ms() const { return (dispatched - planned) * 1e3; }
  /// Time per output token after the first; precondition: output_tokens ≥ 2 and text came.
  double tpot_ms() const {
    return (last_text - first_text) * 1e3 / static_cast<double>(output_tokens - 1);
  }
};

}  // namespace switchyard::client
