#pragma once

#include <string>

#include "base/result.h"

namespace switchyard {

/// SHA-256 of a file's content, 64 lower-case hex digits. Reads the file once, with 1 MiB of
/// memory. Error: kIo, naming the path.
Result<std::string> sha256_of_file(const std::string& path);

}  // namespace switchyard
