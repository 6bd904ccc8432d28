#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <utility>

#include "commands/cli.h"
#include "commands/commands.h"
#include "commands/json_file.h"
#include "commands/route_report.h"
#include "commands/route_request.h"
#include "commands/route_setup.h"
#include "commands/route_table.h"
#include "config/route_options.h"
#include "router/policies.h"

namespace switchyard::commands {
namespace {

using router::DecisionTable;

Result<void> publish(const config::Settings& settings, const std::string& text,
                     const std::string& json) {
  std::fputs(text.c_str(), stdout);
  const std::string& path = settings.get_string("json");
  return path.empty() ? Result<void>() : write_json_file(path, json);
}

Result<void> print_table(const config::Settings& settings, const DecisionTable& table) {
  const auto sections = table_sections(table);
  return publish(settings, table_text(table, sections), table_json(table, sections));
}

Result<void> explain(const config::Settings& settings, const LoadedSetup& setup,
                     const std::shared_ptr<const DecisionTable>& table) {
  const auto request = read_route_request(settings, *table);
  if (!request) return request.error();
  auto policy = router::make_policy(settings.get_string("policy"), table);
  if (!policy) return policy.error();
  RouteReport report{.setup = setup,
                     .table = *table,
                     .request = *request,
                     .policy = settings.get_string("policy"),
                     .decision = (*policy)->decide(request->features, request->load),
                     .assessment = {}};
  table->assess(request->features, request->load, report.assessment);
  return publish(settings, explain_text(report), render_json(report));
}

Result<void> run(const config::Settings& settings) {
  if (settings.get_bool("table") && settings.get_bool("explain")) {
    return Error{ErrorCode::kUsage, "expected one of --table and --explain", "table"};
  }
  auto setup = read_route_setup(settings);
  if (!setup) return setup.error();
  auto compiled = DecisionTable::compile(setup->setup);
  if (!compiled) return compiled.error();
  if (settings.get_bool("table")) return print_table(settings, *compiled);
  return explain(settings, *setup, std::make_shared<const DecisionTable>(*std::move(compiled)));
}

}  // namespace

int run_route(const std::vector<std::string>& arguments) {
  int status = 0;
  const auto settings = parse_or_print(config::route_command(), arguments, status);
  if (!settings) return status;
  const auto done = run(*settings);
  return done ? 0 : fail(done.error());
}

}  // namespace switchyard::commands
