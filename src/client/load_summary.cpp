#include "client/load_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace switchyard::client {
namespace {

/// Precondition: `sorted` is not empty.
double percentile(const std::vector<double>& sorted, double fraction) {
  const double rank = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], rank - static_cast<double>(below));
}

bool has_tpot(const RequestRecord& record) {
  return record.output_tokens >= 2 && record.first_text >= 0 &&
         record.last_text > record.first_text;
}

bool meets(const RequestRecord& record, const Slo& slo) {
  const auto within = [](double value, double limit) { return limit <= 0 || value <= limit; };
  if (!record.ok()) return false;
  if (slo.ttft_ms > 0 && (record.first_text < 0 || record.ttft_ms() > slo.ttft_ms)) return false;
  if (!within(record.e2e_ms(), slo.e2e_ms)) return false;
  if (has_tpot(record) && !within(record.tpot_ms(), slo.tpot_ms)) return false;
  const auto gaps = distribution_of({record.gaps_ms.begin(), record.gaps_ms.end()});
  return !gaps || within(gaps->p99, slo.itl_ms);
}

void count_failure(const RequestRecord& record, LoadSummary& summary) {
  auto& entry = summary.failures[static_cast<std::size_t>(record.failure)];
  if (entry.count++ == 0) entry.first_detail = record.detail;
  ++(record.failure == Failure::kInterrupted ? summary.interrupted : summary.failed);
}

/// The samples behind the distributions.
struct Samples {
  std::vector<double> ttft, itl, tpot, e2e, lag;

  void add(const RequestRecord& record) {
    e2e.push_back(record.e2e_ms());
    lag.push_back(record.dispatch_lag_ms());
    if (record.first_text >= 0) ttft.push_back(record.ttft_ms());
    if (has_tpot(record)) tpot.push_back(record.tpot_ms());
    itl.insert(itl.end(), record.gaps_ms.begin(), record.gaps_ms.end());
  }
};

void count_completed(const RequestRecord& record, LoadSummary& summary) {
  ++summary.completed;
  summary.prompt_tokens += record.prompt_tokens;
  summary.cached_tokens += record.cached_tokens;
  summary.output_tokens += record.output_tokens;
  if (record.tokens_estimated) {
    ++summary.estimated_requests;
  } else if (record.output_tokens != record.asked_output_tokens) {
    ++summary.other_length_requests;
  }
}

void set_rates(const LoadRun& run, const Slo& slo, LoadSummary& summary) {
  if (run.seconds > 0) {
    const double tokens = static_cast<double>(summary.output_tokens);
    summary.output_tokens_per_second = tokens / run.seconds;
    summary.total_tokens_per_second =
        (tokens + static_cast<double>(summary.prompt_tokens)) / run.seconds;
    summary.requests_per_second = static_cast<double>(summary.completed) / run.seconds;
  }
  const auto ended = static_cast<double>(summary.completed + summary.failed);
  if (!slo.any() || ended == 0) return;
  const auto good = static_cast<double>(
      std::count_if(run.records.begin(), run.records.end(),
                    [&](const RequestRecord& record) { return meets(record, slo); }));
  summary.goodput_fraction = good / ended;
  summary.goodput_requests_per_second = run.seconds > 0 ? good / run.seconds : 0;
}

}  // namespace

std::optional<Distribution> distribution_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  Distribution result;
  result.count = static_cast<std::int64_t>(values.size());
  result.mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  result.p50 = percentile(values, 0.50);
  result.p90 = percentile(values, 0.90);
  result.p99 = percentile(values, 0.99);
  result.max = values.back();
  return result;
}

LoadSummary summarize(const LoadRun& run, const Slo& slo) {
  LoadSummary summary;
  summary.partial = run.interrupted;
  summary.not_sent = run.not_sent;
  summary.seconds = run.seconds;
  Samples samples;
  for (const auto& record : run.records) {
    if (record.ok()) {
      count_completed(record, summary);
      samples.add(record);
    } else {
      count_failure(record, summary);
    }
  }
  set_rates(run, slo, summary);
  summary.ttft_ms = distribution_of(std::move(samples.ttft));
  summary.itl_ms = distribution_of(std::move(samples.itl));
  summary.tpot_ms = distribution_of(std::move(samples.tpot));
  summary.e2e_ms = distribution_of(std::move(samples.e2e));
  summary.dispatch_lag_ms = distribution_of(std::move(samples.lag));
  return summary;
}

std::vector<Figure> figures_of(const LoadSummary& summary) {
  const auto of = [](const std::optional<Distribution>& distribution,
                     double Distribution::* field) {
    return distribution ? std::optional(*distribution.*field) : std::nullopt;
  };
  return {{"output_tokens_per_second", summary.output_tokens_per_second},
          {"requests_per_second", summary.requests_per_second},
          {"e2e_mean_ms", of(summary.e2e_ms, &Distribution::mean)},
          {"e2e_p50_ms", of(summary.e2e_ms, &Distribution::p50)},
          {"e2e_p99_ms", of(summary.e2e_ms, &Distribution::p99)},
          {"ttft_mean_ms", of(summary.ttft_ms, &Distribution::mean)},
          {"ttft_p50_ms", of(summary.ttft_ms, &Distribution::p50)},
          {"ttft_p99_ms", of(summary.ttft_ms, &Distribution::p99)},
          {"itl_p50_ms", of(summary.itl_ms, &Distribution::p50)},
          {"itl_p99_ms", of(summary.itl_ms, &Distribution::p99)},
          {"itl_max_ms", of(summary.itl_ms, &Distribution::max)},
          {"tpot_mean_ms", of(summary.tpot_ms, &Distribution::mean)}};
}

}  // namespace switchyard::client
