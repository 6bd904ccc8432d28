#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "config/option.h"

namespace switchyard::config {

/// The options set in a TOML file, in order of their names. kIo if it cannot be read; kUsage for
/// bad syntax (with the line), a key that is no option of the command, or a wrong type or range.
Result<std::vector<std::pair<const OptionSpec*, Value>>> read_toml_file(const std::string& path,
                                                                        const CommandSpec& command);

}  // namespace switchyard::config
