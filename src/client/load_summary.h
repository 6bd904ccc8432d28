#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client/load_generator.h"

namespace switchyard::client {

/// A sample's figures. No value at all where the sample is empty.
struct Distribution {
  std::int64_t count = 0;
  double mean = 0;
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  double max = 0;
};

/// Percentiles interpolate linearly between ranks (numpy's default).
std::optional<Distribution> distribution_of(std::vector<double> values);

/// Limits a request must keep to count as good; 0 = no limit.
struct Slo {
  double ttft_ms = 0;
  double itl_ms = 0;  ///< 99th percentile of the request's own gaps
  double tpot_ms = 0;
  double e2e_ms = 0;
  bool any() const { return ttft_ms > 0 || itl_ms > 0 || tpot_ms > 0 || e2e_ms > 0; }
};

struct FailureCount {
  std::int64_t count = 0;
  std::string first_detail;
};

/// A run in figures. Latencies are of completed requests only, from their planned time.
struct LoadSummary {
  std::int64_t completed = 0;
  std::int64_t failed = 0;  ///< without interrupted ones
  std::int64_t interrupted = 0;
  std::int64_t not_sent = 0;
  bool partial = false;  ///< an interrupt ended the run
  double seconds = 0;
  std::array<FailureCount, kFailureNames.size()> failures;  ///< by Failure

  std::int64_t prompt_tokens = 0;
  std::int64_t cached_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t estimated_requests = 0;     ///< whose output tokens are characters / 4
  std::int64_t other_length_requests = 0;  ///< whose output tokens are not what was asked for

  double output_tokens_per_second = 0;
  double total_tokens_per_second = 0;
  double requests_per_second = 0;
  std::optional<double> goodput_requests_per_second;  ///< if an SLO is given
  std::optional<double> goodput_fraction;  ///< of all requests that ended, failed ones too

  std::optional<Distribution> ttft_ms;
  std::optional<Distribution> itl_ms;   ///< all gaps of all requests
  std::optional<Distribution> tpot_ms;  ///< of requests with two tokens or more
  std::optional<Distribution> e2e_ms;
  std::optional<Distribution> dispatch_lag_ms;
};

LoadSummary summarize(const LoadRun& run, const Slo& slo);

/// A figure that two targets are compared by.
struct Figure {
  std::string_view name;
  std::optional<double> value;
};
std::vector<Figure> figures_of(const LoadSummary& summary);

}  // namespace switchyard::client
