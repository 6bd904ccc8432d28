#include <nlohmann/json.hpp>
#include <string>

#include "commands/route_report.h"

namespace switchyard::commands {
namespace {

using Json = nlohmann::ordered_json;
using router::Candidate;

Json json_of(const RouteRequest& request) {
  const router::Features& features = request.features;
  return {{"bytes", request.characters},
          {"prompt_tokens", features.prompt_tokens},
          {"shared_prefix_tokens", features.shared_prefix_tokens[0]},
          {"class", router::class_name(features.request_class)},
          {"demand", router::kDemandNames[static_cast<std::size_t>(features.demand)]},
          {"greedy", features.greedy},
          {"copy_ratio", features.copy_ratio},
          {"output_tokens",
           {{"mean", features.output.mean()},
            {"p50", features.output.p50()},
            {"p90", features.output.p90()},
            {"max", request.max_tokens},
            {"assumed", request.output_assumed}}}};
}

Json load_json(const RouteReport& report) {
  Json lanes = Json::array();
  for (std::size_t i = 0; i < report.table.weights().size(); ++i) {
    const router::LaneLoad& lane = report.request.load.lanes[i];
    lanes.push_back({{"weights", report.table.weights()[i]},
                     {"running", lane.running},
                     {"waiting", lane.waiting},
                     {"mean_context_tokens", lane.mean_context_tokens}});
  }
  return lanes;
}

Json json_of(const RouteReport& report, const Candidate& candidate) {
  const router::Cost& cost = candidate.cost;
  const std::string why = objection(report, candidate);
  return {{"mode", report.table.name_of(candidate.mode)},
          {"eligible", why.empty()},
          {"ruled_out", why.empty() ? Json(nullptr) : Json(why)},
          {"cost_ms",
           {{"wait", cost.wait_ms},
            {"prefill", cost.prefill_ms},
            {"decode", cost.decode_ms},
            {"others", cost.neighbours_ms},
            {"total", cost.total_ms()}}},
          {"draft_tokens", candidate.draft_tokens},
          {"speculation_gain", candidate.gain}};
}

}  // namespace

std::string render_json(const RouteReport& report) {
  Json candidates = Json::array();
  for (const Candidate& candidate : report.assessment.candidates()) {
    candidates.push_back(json_of(report, candidate));
  }
  const router::ReasonText& reason = router::reason_text(report.decision.reason);
  const Json document = {
      {"schema", "switchyard.route.v1"},
      {"costs", {{"source", report.setup.source}, {"label", report.setup.label}}},
      {"request", json_of(report.request)},
      {"load", load_json(report)},
      {"candidates", std::move(candidates)},
      {"decision",
       {{"policy", report.policy},
        {"mode", report.table.name_of(report.decision.mode)},
        {"rule", reason.name},
        {"why", reason.why}}}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace switchyard::commands
