#include "config/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "config/help.h"
#include "config/value.h"

namespace switchyard::config {
namespace {

Error usage(const CommandSpec& command, const std::string& what) {
  return {ErrorCode::kUsage,
          fmt::format("command line: {} (see switchyard {} --help)", what, command.name), ""};
}

Error unknown_argument(const CommandSpec& command, const std::string& argument) {
  if (!argument.starts_with("--")) {
    return usage(command, fmt::format("unexpected argument '{}'", printable(argument)));
  }
  const std::string name = argument.substr(2, argument.find('=') - 2);
  return usage(command, fmt::format("unknown option '--{}'{}", printable(name),
                                    did_you_mean(command, name)));
}

}  // namespace

Result<CommandLine> parse_command_line(const CommandSpec& command,
                                       const std::vector<std::string>& arguments) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  CommandLine line;
  std::vector<std::string> texts(command.options.size());
  std::vector<CLI::Option*> options;
  for (std::size_t i = 0; i < command.options.size(); ++i) {
    const std::string name(command.options[i].name);
    const bool flag = command.options[i].type == Type::kBool;
    options.push_back(flag ? app.add_flag(fmt::format("--{0},--no-{0}{{false}}", name), texts[i])
                                 ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
                           : app.add_option("--" + name, texts[i]));
  }
  std::string config_file;
  const CLI::Option* config = app.add_option("--config", config_file);
  app.add_flag("--print-config", line.print_config);
  app.add_flag("-h,--help", line.help);
  try {
    // CLI11 wants them last first.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    return usage(command, printable(error.what()));
  }
  if (const auto extra = app.remaining(); !extra.empty()) {
    return unknown_argument(command, extra.front());
  }
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i]->count() > 0) line.values.emplace_back(&command.options[i], texts[i]);
  }
  if (config->count() > 0) line.config_file = config_file;
  return line;
}

}  // namespace switchyard::config
