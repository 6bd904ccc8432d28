#pragma once

#include <string>
#include <string_view>

#include "config/option.h"

namespace switchyard::config {

/// Usage, options with defaults and ranges, sources and examples.
std::string help_text(const CommandSpec& command);

/// Null if the command has no option of this name.
const OptionSpec* find_option(const CommandSpec& command, std::string_view name);

/// "; did you mean 'port'?" if an option is spelled almost like that, else empty.
std::string did_you_mean(const CommandSpec& command, std::string_view name);

/// "SWITCHYARD_MAX_NUM_SEQS" for "max-num-seqs".
std::string environment_name(std::string_view option);

}  // namespace switchyard::config
