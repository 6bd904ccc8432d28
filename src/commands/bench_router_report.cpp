#include "commands/bench_router_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace switchyard::commands {
namespace {

using Json = nlohmann::ordered_json;

std::string row(std::string_view name, const CallTimes& times) {
  return fmt::format("  {:<40}{:>9.3f}{:>9.3f}{:>9.3f}\n", name, times.p50_us, times.p99_us,
                     times.mean_us);
}

Json json_of(const CallTimes& times) {
  return {{"p50", times.p50_us}, {"p99", times.p99_us}, {"mean", times.mean_us}};
}

}  // namespace

std::string render_table(const BenchRouterReport& report) {
  std::string text = fmt::format(
      "{} decisions each, {} ({})\ntable: {} bytes, compiled in {:.2f} ms\n\n"
      "  {:<40}{:>9}{:>9}{:>9}\n",
      report.decisions, fmt::join(report.weights, ", "), report.source, report.table_bytes,
      report.compile_ms, "microseconds", "p50", "p99", "mean");
  for (const PolicyTimes& policy : report.policies) text += row(policy.policy, policy.decision);
  text += row("rules, with a 4,096-token prefix lookup", report.rules_with_lookup);
  text += row("class of a 4,000-character text", report.text_features);
  text += row("repeats in 4,096 tokens", report.copy_feature);
  text += row("timer; its p50 is subtracted above", report.timer);
  return text;
}

std::string render_json(const BenchRouterReport& report) {
  Json policies = Json::array();
  for (const PolicyTimes& policy : report.policies) {
    policies.push_back({{"policy", policy.policy}, {"decision_us", json_of(policy.decision)}});
  }
  const Json document = {
      {"schema", "switchyard.bench_router.v1"},
      {"costs", report.source},
      {"weights", report.weights},
      {"decisions", report.decisions},
      {"table", {{"bytes", report.table_bytes}, {"compile_ms", report.compile_ms}}},
      {"decision_us", json_of(report.policies.front().decision)},
      {"decision_with_prefix_lookup_us", json_of(report.rules_with_lookup)},
      {"policies", std::move(policies)},
      {"text_features_us", json_of(report.text_features)},
      {"copy_feature_us", json_of(report.copy_feature)},
      {"timer_us", json_of(report.timer)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace switchyard::commands
