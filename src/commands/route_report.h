#pragma once

#include <string>

#include "commands/route_request.h"
#include "commands/route_setup.h"
#include "router/assessment.h"
#include "router/decision.h"
#include "router/decision_table.h"

namespace switchyard::commands {

/// One decision and all it was made from.
struct RouteReport {
  const LoadedSetup& setup;
  const router::DecisionTable& table;
  const RouteRequest& request;
  std::string policy;
  router::Decision decision;
  router::Assessment assessment;
};

/// For people: what was seen, what each mode would cost, what was ruled out and why, the choice,
/// and what would change it.
std::string explain_text(const RouteReport& report);

/// Schema switchyard.route.v1 (docs/route.md).
std::string render_json(const RouteReport& report);

/// Where a mode's quality misses what the request needs, with the figures; what ruled it out
/// otherwise. Empty if nothing did.
std::string objection(const RouteReport& report, const router::Candidate& candidate);

}  // namespace switchyard::commands
