#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/option.h"
#include "config/settings.h"

namespace switchyard::commands {

/// Prints "switchyard: MESSAGE" to stderr and returns the exit status for it: 2 for bad usage,
/// else 1.
int fail(const Error& error);

/// The command's effective options; or, after printing help, the configuration or an error, the
/// exit status in `status`.
std::optional<config::Settings> parse_or_print(const config::CommandSpec& command,
                                               const std::vector<std::string>& arguments,
                                               int& status);

}  // namespace switchyard::commands
