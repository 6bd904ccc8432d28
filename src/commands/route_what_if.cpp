#include "commands/route_what_if.h"

#include <fmt/format.h>

#include <optional>

#include "router/rules_policy.h"

namespace switchyard::commands {
namespace {

using router::Features;
using router::LoadSnapshot;
using router::Mode;

/// Sequences on the reference that are tried, and outputs as factors of the expected one.
constexpr std::int32_t kLoads[] = {0, 1, 2, 4, 8, 12};
constexpr float kLonger[] = {1.5F, 2, 3, 4, 6, 8};
constexpr float kShorter[] = {0.67F, 0.5F, 0.33F, 0.25F, 0.125F};

class WhatIf {
 public:
  explicit WhatIf(const RouteReport& report) : report_(report) {}

  std::vector<std::string> all() {
    try_demands();
    try_outputs(kLonger, "more");
    try_outputs(kShorter, "fewer");
    try_loads();
    return std::move(sentences_);
  }

 private:
  /// The mode if its weights or speculation are not those decided.
  std::optional<Mode> other_mode(const Features& features, const LoadSnapshot& load) const {
    router::Assessment assessment;
    report_.table.assess(features, load, assessment);
    const Mode mode =
        router::choose_cheapest(assessment, report_.table.setup().reference_margin).mode;
    const Mode& decided = report_.decision.mode;
    const bool same = mode.lane == decided.lane && mode.speculation == decided.speculation;
    return same ? std::nullopt : std::optional(mode);
  }

  void note(const std::string& when, const Mode& mode) {
    sentences_.push_back(fmt::format("{}: {}", when, report_.table.name_of(mode)));
  }

  void try_demands() {
    for (std::size_t i = 0; i < router::kDemands; ++i) {
      Features features = report_.request.features;
      features.demand = static_cast<router::Demand>(i);
      const auto mode = other_mode(features, report_.request.load);
      if (mode) note(fmt::format("with demand {}", router::kDemandNames[i]), *mode);
    }
  }

  template <std::size_t N>
  void try_outputs(const float (&factors)[N], std::string_view word) {
    for (const float factor : factors) {
      Features features = report_.request.features;
      for (float& tokens : features.output.tokens) {
        tokens = std::max(1.0F, tokens * factor);
      }
      const auto mode = other_mode(features, report_.request.load);
      if (!mode) continue;
      note(fmt::format("with {:.0f} or {} output tokens", features.output.mean(), word), *mode);
      return;
    }
  }

  void try_loads() {
    for (const std::int32_t running : kLoads) {
      LoadSnapshot load = report_.request.load;
      for (router::LaneLoad& lane : load.lanes) lane.running = lane.waiting = 0;
      load.lanes[0].running = running;
      const auto mode = other_mode(report_.request.features, load);
      if (!mode) continue;
      const std::string& reference = report_.table.weights().front();
      note(running == 0 ? "on an idle machine"
                        : fmt::format("with {} running on {}", running, reference),
           *mode);
      return;
    }
  }

  const RouteReport& report_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> what_would_change(const RouteReport& report) {
  if (report.policy != "rules") return {};
  return WhatIf(report).all();
}

}  // namespace switchyard::commands
