#pragma once

#include <string>

#include "base/result.h"

namespace switchyard::commands {

/// What `--json FILE` does: replaces the file at once and whole; a device or pipe is written to.
/// Error: kIo, naming the path.
Result<void> write_json_file(const std::string& path, const std::string& text);

}  // namespace switchyard::commands
