#include "commands/route_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "router/rules_policy.h"

namespace switchyard::commands {
namespace {

using router::DecisionTable;
using router::Features;

struct Prompt {
  std::int32_t tokens;
  std::int32_t shared;
};
constexpr Prompt kPrompts[] = {{32, 0},   {128, 0},  {512, 0},    {1024, 0},
                               {2048, 0}, {4096, 0}, {1024, 960}, {4096, 4032}};
constexpr std::int32_t kOutputs[] = {16, 64, 256, 1024};
constexpr std::int32_t kRunning[] = {0, 1, 4, 12};
constexpr float kCopyRatios[] = {0, 0.8F};
constexpr float kContextTokens = 512;

/// Which lanes may answer: all that demand and class decide.
std::vector<bool> eligible_lanes(const DecisionTable& table, const Features& features) {
  std::vector<bool> eligible;
  for (std::size_t lane = 0; lane < table.weights().size(); ++lane) {
    eligible.push_back(is_eligible(table.verdict(lane, features)));
  }
  return eligible;
}

TableCell decide(const DecisionTable& table, Features features, const Prompt& prompt,
                 std::int32_t output, std::int32_t running) {
  features.prompt_tokens = prompt.tokens;
  features.shared_prefix_tokens.fill(prompt.shared);
  features.output = router::exact_length(output);
  router::LoadSnapshot load;
  load.lanes[0].running = running;
  load.lanes[0].mean_context_tokens = kContextTokens;
  router::Assessment assessment;
  table.assess(features, load, assessment);
  const router::Decision decision =
      router::choose_cheapest(assessment, table.setup().reference_margin);
  return {prompt.tokens, prompt.shared, output,
          running,       decision.mode, router::reason_text(decision.reason).name};
}

TableSection make_section(const DecisionTable& table, Features features, float copy_ratio) {
  features.copy_ratio = copy_ratio;
  TableSection section{.who = {}, .copy_ratio = copy_ratio, .cells = {}};
  for (const Prompt& prompt : kPrompts) {
    for (const std::int32_t running : kRunning) {
      for (const std::int32_t output : kOutputs) {
        section.cells.push_back(decide(table, features, prompt, output, running));
      }
    }
  }
  return section;
}

/// A section's who: for each demand its classes.
std::vector<std::string> describe(const std::vector<Features>& members) {
  std::map<std::size_t, std::vector<std::string_view>> by_demand;
  for (const Features& member : members) {
    by_demand[static_cast<std::size_t>(member.demand)].push_back(
        router::class_name(member.request_class));
  }
  std::vector<std::string> who;
  for (const auto& [demand, classes] : by_demand) {
    const bool all = classes.size() == router::kRequestClasses;
    who.push_back(fmt::format("{}: {}", router::kDemandNames[demand],
                              all ? "all classes" : fmt::format("{}", fmt::join(classes, ", "))));
  }
  return who;
}

std::vector<std::vector<Features>> group_by_lanes(const DecisionTable& table) {
  std::map<std::vector<bool>, std::vector<Features>> groups;
  for (std::size_t i = 0; i < router::kDemands * router::kRequestClasses; ++i) {
    Features features;
    features.demand = static_cast<router::Demand>(i / router::kRequestClasses);
    features.request_class = static_cast<router::RequestClass>(i % router::kRequestClasses);
    groups[eligible_lanes(table, features)].push_back(features);
  }
  std::vector<std::vector<Features>> members;
  members.reserve(groups.size());
  for (auto& [lanes, group] : groups) members.push_back(std::move(group));
  return members;
}

}  // namespace

std::vector<TableSection> table_sections(const DecisionTable& table) {
  std::vector<TableSection> sections;
  for (const std::vector<Features>& members : group_by_lanes(table)) {
    for (const float copy_ratio : kCopyRatios) {
      TableSection section = make_section(table, members.front(), copy_ratio);
      section.who = describe(members);
      sections.push_back(std::move(section));
    }
  }
  return sections;
}

}  // namespace switchyard::commands
