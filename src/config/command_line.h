#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "config/option.h"

namespace switchyard::config {

/// What the command line says, not yet merged or range checked.
struct CommandLine {
  std::vector<std::pair<const OptionSpec*, std::string>> values;
  std::optional<std::string> config_file;
  bool print_config = false;
  bool help = false;
};

/// kUsage for an unknown flag, a missing value, an option given twice or a stray word.
Result<CommandLine> parse_command_line(const CommandSpec& command,
                                       const std::vector<std::string>& arguments);

}  // namespace switchyard::config
