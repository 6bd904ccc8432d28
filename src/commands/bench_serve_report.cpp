#include "commands/bench_serve_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace switchyard::commands {
namespace {

using Json = nlohmann::ordered_json;
using client::Distribution;
using client::LoadSummary;

std::string distribution_row(std::string_view name, const std::optional<Distribution>& d) {
  if (!d) return fmt::format("  {:<22}{:>11}\n", name, "n/a");
  return fmt::format("  {:<22}{:>11.1f}{:>11.1f}{:>11.1f}{:>11.1f}{:>11.1f}{:>9}\n", name, d->mean,
                     d->p50, d->p90, d->p99, d->max, d->count);
}

std::string failure_lines(const LoadSummary& summary) {
  std::string text;
  for (std::size_t i = 1; i < summary.failures.size(); ++i) {
    const auto& failure = summary.failures[i];
    if (failure.count == 0) continue;
    text += fmt::format("  {:<22}{:>11}  {}\n", client::kFailureNames[i], failure.count,
                        failure.first_detail);
  }
  return text;
}

std::string summary_text(const LoadSummary& s) {
  std::string text = fmt::format(
      "  {} completed, {} failed in {:.2f} s{}\n", s.completed, s.failed, s.seconds,
      s.partial ? fmt::format("; PARTIAL: interrupted with {} in flight and {} not sent",
                              s.interrupted, s.not_sent)
                : "");
  text += fmt::format("  {:<22}{:>11}{:>11}{:>11}{:>11}{:>11}{:>9}\n", "", "mean", "p50", "p90",
                      "p99", "max", "n");
  text += distribution_row("TTFT, ms", s.ttft_ms);
  text += distribution_row("inter-token gap, ms", s.itl_ms);
  text += distribution_row("TPOT, ms", s.tpot_ms);
  text += distribution_row("latency, ms", s.e2e_ms);
  text += distribution_row("dispatch lag, ms", s.dispatch_lag_ms);
  text += fmt::format("  {:<22}{:>11.1f} output tokens/s, {:.1f} tokens/s, {:.3f} requests/s\n",
                      "throughput", s.output_tokens_per_second, s.total_tokens_per_second,
                      s.requests_per_second);
  text += fmt::format("  {:<22}{:>11} prompt ({} cached), {} output\n", "tokens", s.prompt_tokens,
                      s.cached_tokens, s.output_tokens);
  if (s.goodput_fraction) {
    text += fmt::format("  {:<22}{:>11.3f} requests/s, {:.1f} % of those that ended\n", "goodput",
                        *s.goodput_requests_per_second, *s.goodput_fraction * 100);
  }
  if (s.estimated_requests > 0) {
    text +=
        fmt::format("  no usage from the server in {} answers: output tokens are characters / 4\n",
                    s.estimated_requests);
  }
  if (s.other_length_requests > 0) {
    text +=
        fmt::format("  {} answers have another length than asked for\n", s.other_length_requests);
  }
  return text + failure_lines(s);
}

Json json_of(const std::optional<Distribution>& d) {
  if (!d) return nullptr;
  return {{"count", d->count}, {"mean", d->mean}, {"p50", d->p50},
          {"p90", d->p90},     {"p99", d->p99},   {"max", d->max}};
}

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json json_of(const LoadSummary& s) {
  Json failures = Json::object();
  for (std::size_t i = 1; i < s.failures.size(); ++i) {
    const auto& failure = s.failures[i];
    if (failure.count == 0) continue;
    failures[std::string(client::kFailureNames[i])] = {{"count", failure.count},
                                                       {"first_detail", failure.first_detail}};
  }
  return {{"partial", s.partial},
          {"seconds", s.seconds},
          {"completed", s.completed},
          {"failed", s.failed},
          {"interrupted", s.interrupted},
          {"not_sent", s.not_sent},
          {"failures", std::move(failures)},
          {"ttft_ms", json_of(s.ttft_ms)},
          {"itl_ms", json_of(s.itl_ms)},
          {"tpot_ms", json_of(s.tpot_ms)},
          {"e2e_ms", json_of(s.e2e_ms)},
          {"dispatch_lag_ms", json_of(s.dispatch_lag_ms)},
          {"output_tokens_per_second", s.output_tokens_per_second},
          {"total_tokens_per_second", s.total_tokens_per_second},
          {"requests_per_second", s.requests_per_second},
          {"goodput_requests_per_second", json_of(s.goodput_requests_per_second)},
          {"goodput_fraction", json_of(s.goodput_fraction)},
          {"prompt_tokens", s.prompt_tokens},
          {"cached_tokens", s.cached_tokens},
          {"output_tokens", s.output_tokens},
          {"estimated_requests", s.estimated_requests},
          {"other_length_requests", s.other_length_requests}};
}

Json workload_json(const BenchServeReport& report) {
  const auto& settings = report.settings;
  return {{"name", settings.get_string("workload")},
          {"data", report.plan.data},
          {"sessions", report.plan.workload->size()},
          {"requests", report.plan.workload->request_count()},
          {"arrival", report.plan.arrival},
          {"rate", settings.get_double("rate")},
          {"speed", settings.get_double("speed")},
          {"concurrency", settings.get_int("concurrency")},
          {"seed", settings.get_int("seed")},
          {"ignore_eos", settings.get_bool("ignore-eos")},
          {"timeout_seconds", settings.get_double("timeout")},
          {"notes", report.plan.notes}};
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

std::vector<RatioSpread> ratios_of(const BenchTarget& first, const BenchTarget& second) {
  std::vector<RatioSpread> ratios;
  for (const auto& figure : client::figures_of({})) ratios.push_back({.figure = figure.name});
  const std::size_t rounds = std::min(first.rounds.size(), second.rounds.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto a = client::figures_of(first.rounds[round]);
    const auto b = client::figures_of(second.rounds[round]);
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      if (!a[i].value || !b[i].value || *a[i].value <= 0 || *b[i].value <= 0) continue;
      ratios[i].rounds.push_back(*a[i].value / *b[i].value);
    }
  }
  std::erase_if(ratios, [](const RatioSpread& ratio) { return ratio.rounds.empty(); });
  for (auto& ratio : ratios) {
    ratio.median = median_of(ratio.rounds);
    const auto [least, most] = std::minmax_element(ratio.rounds.begin(), ratio.rounds.end());
    ratio.min = *least;
    ratio.max = *most;
  }
  return ratios;
}

std::string render_table(const BenchServeReport& report) {
  std::string text =
      fmt::format("workload {}: {} sessions, {} requests, {} arrivals\n",
                  report.settings.get_string("workload"), report.plan.workload->size(),
                  report.plan.workload->request_count(), report.plan.arrival);
  for (const auto& note : report.plan.notes) text += "  note: " + note + "\n";
  for (const auto& target : report.targets) {
    for (std::size_t round = 0; round < target.rounds.size(); ++round) {
      text += fmt::format("\n{}  model {}", target.url, target.model);
      if (target.rounds.size() > 1) text += fmt::format("  round {}", round + 1);
      text += "\n" + summary_text(target.rounds[round]);
    }
  }
  if (report.targets.size() < 2) return text;
  text += fmt::format("\nratio {} / {}\n  {:<28}{:>9}{:>9}{:>9}{:>9}\n", report.targets[0].url,
                      report.targets[1].url, "", "median", "min", "max", "rounds");
  for (const auto& ratio : ratios_of(report.targets[0], report.targets[1])) {
    text += fmt::format("  {:<28}{:>9.3f}{:>9.3f}{:>9.3f}{:>9}\n", ratio.figure, ratio.median,
                        ratio.min, ratio.max, ratio.rounds.size());
  }
  return text;
}

std::string render_json(const BenchServeReport& report) {
  const auto& settings = report.settings;
  Json targets = Json::array();
  for (const auto& target : report.targets) {
    Json rounds = Json::array();
    for (const auto& round : target.rounds) rounds.push_back(json_of(round));
    targets.push_back(
        {{"url", target.url}, {"model", target.model}, {"rounds", std::move(rounds)}});
  }
  Json document = {{"schema", "switchyard.bench_serve.v1"},
                   {"partial", report.partial},
                   {"workload", workload_json(report)},
                   {"slo",
                    {{"ttft_ms", settings.get_double("slo-ttft-ms")},
                     {"itl_ms", settings.get_double("slo-itl-ms")},
                     {"tpot_ms", settings.get_double("slo-tpot-ms")},
                     {"e2e_ms", settings.get_double("slo-e2e-ms")}}},
                   {"targets", std::move(targets)}};
  if (report.targets.size() == 2) {
    Json compare = Json::object();
    for (const auto& ratio : ratios_of(report.targets[0], report.targets[1])) {
      compare[std::string(ratio.figure)] = {{"median", ratio.median},
                                            {"min", ratio.min},
                                            {"max", ratio.max},
                                            {"rounds", ratio.rounds}};
    }
    document["compare"] = std::move(compare);
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace switchyard::commands
