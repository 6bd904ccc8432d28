#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"

namespace switchyard {

/// SHA-256 of a file's content, 64 lower-case hex digits. Reads the file once, with 1 MiB of
/// memory. `go_on`, if given, is told the bytes read so far and ends the reading with false. Error:
/// kIo, naming the path.
Result<std::string> sha256_of_file(const std::string& path,
                                   const std::function<bool(std::uint64_t)>& go_on = nullptr);

}  // namespace switchyard
