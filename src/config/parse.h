#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/option.h"
#include "config/settings.h"

namespace switchyard::config {

/// Value of an environment variable, if it is set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment process_environment();

struct Parsed {
  Settings settings;
  /// Set for --help and --print-config: print it to stdout and exit with 0.
  std::optional<std::string> text;
};

/// The effective options of a command: command line > environment > config file > default.
/// `arguments` follow the command's name. kUsage for an unknown flag or key, a wrong type or a
/// value out of range, with the place, the limit and the value in one line; kIo if the config file
/// cannot be read.
Result<Parsed> parse(const CommandSpec& command, const std::vector<std::string>& arguments,
                     const Environment& environment = process_environment());

}  // namespace switchyard::config
