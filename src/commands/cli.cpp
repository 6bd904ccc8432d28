#include "commands/cli.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "config/parse.h"

namespace switchyard::commands {

int fail(const Error& error) {
  fmt::print(stderr, "switchyard: {}\n", error.message);
  return is_usage_error(error.code) ? 2 : 1;
}

std::optional<config::Settings> parse_or_print(const config::CommandSpec& command,
                                               const std::vector<std::string>& arguments,
                                               int& status) {
  auto parsed = config::parse(command, arguments);
  if (!parsed) {
    status = fail(parsed.error());
    return std::nullopt;
  }
  if (parsed->text) {
    std::fputs(parsed->text->c_str(), stdout);
    status = 0;
    return std::nullopt;
  }
  return std::move(parsed->settings);
}

}  // namespace switchyard::commands
