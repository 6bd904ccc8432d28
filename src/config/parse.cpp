#include "config/parse.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "config/command_line.h"
#include "config/help.h"
#include "config/toml_file.h"
#include "config/value.h"

namespace switchyard::config {
namespace {

Result<void> set_text(Settings& settings, const OptionSpec& option, const std::string& text,
                      const std::string& source) {
  auto value = parse_value(option, text, source);
  if (!value) return value.error();
  settings.set(option, std::move(*value), source);
  return {};
}

/// A default that its own declaration refuses is a bug of the table.
void set_defaults(Settings& settings, const CommandSpec& command) {
  for (const OptionSpec& option : command.options) {
    auto value = parse_value(option, option.default_value, "default");
    if (!value) {
      std::fprintf(stderr, "config: %s\n", value.error().message.c_str());
      std::abort();
    }
    settings.set(option, std::move(*value), "default");
  }
}

Result<void> merge(Settings& settings, const CommandSpec& command, const CommandLine& line,
                   const Environment& environment) {
  set_defaults(settings, command);
  const auto config_file =
      line.config_file ? line.config_file : environment(environment_name("config"));
  if (config_file) {
    auto values = read_toml_file(*config_file, command);
    if (!values) return values.error();
    for (auto& [option, value] : *values) {
      settings.set(*option, std::move(value), "config " + *config_file);
    }
  }
  for (const OptionSpec& option : command.options) {
    const std::string name = environment_name(option.name);
    const auto text = environment(name);
    if (!text) continue;
    if (auto set = set_text(settings, option, *text, "environment " + name); !set) return set;
  }
  for (const auto& [option, text] : line.values) {
    if (auto set = set_text(settings, *option, text, "command line"); !set) return set;
  }
  return {};
}

}  // namespace

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

Result<Parsed> parse(const CommandSpec& command, const std::vector<std::string>& arguments,
                     const Environment& environment) {
  const auto line = parse_command_line(command, arguments);
  if (!line) return line.error();
  Parsed parsed;
  if (line->help) {
    parsed.text = help_text(command);
    return parsed;
  }
  if (auto merged = merge(parsed.settings, command, *line, environment); !merged) {
    return merged.error();
  }
  if (line->print_config) parsed.text = parsed.settings.print();
  return parsed;
}

}  // namespace switchyard::config
