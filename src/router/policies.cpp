#include "router/policies.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <utility>

#include "router/paper_policy.h"
#include "router/rules_policy.h"
#include "router/simple_policies.h"

namespace switchyard::router {
namespace {

using MadePolicy = Result<std::unique_ptr<Policy>>;

MadePolicy unknown_policy() {
  return Error{ErrorCode::kUsage,
               "unknown policy: expected rules, paper, random[:SEED] or fixed:MODE", "policy"};
}

MadePolicy make_fixed(std::string_view name, const DecisionTable& table) {
  const auto mode = parse_mode(name, table.weights());
  if (!mode) return mode.error();
  return std::unique_ptr<Policy>(std::make_unique<FixedPolicy>(*mode));
}

MadePolicy make_random(std::string_view seed_text, std::shared_ptr<const DecisionTable> table) {
  std::uint64_t seed = 0;
  const char* end = seed_text.data() + seed_text.size();
  const auto read = std::from_chars(seed_text.data(), end, seed);
  if (read.ec != std::errc() || read.ptr != end) return unknown_policy();
  return std::unique_ptr<Policy>(std::make_unique<RandomPolicy>(std::move(table), seed));
}

}  // namespace

MadePolicy make_policy(std::string_view name, std::shared_ptr<const DecisionTable> table) {
  const std::size_t colon = name.find(':');
  const std::string_view kind = name.substr(0, colon);
  const bool has_argument = colon != std::string_view::npos;
  const std::string_view argument = has_argument ? name.substr(colon + 1) : std::string_view();
  if (kind == "fixed" && has_argument) return make_fixed(argument, *table);
  if (kind == "random") return make_random(has_argument ? argument : "0", std::move(table));
  if (kind == "rules" && !has_argument) {
    return std::unique_ptr<Policy>(std::make_unique<RulesPolicy>(std::move(table)));
  }
  if (kind == "paper" && !has_argument) {
    return std::unique_ptr<Policy>(std::make_unique<PaperPolicy>(table->setup()));
  }
  return unknown_policy();
}

}  // namespace switchyard::router
