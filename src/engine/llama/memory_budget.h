#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace switchyard::engine {

/// Bytes this process may still allocate without swapping: MemAvailable, or what its cgroup leaves
/// if that is less. None where the system does not say. `root` stands for "/" in tests.
std::optional<std::uint64_t> available_memory(const std::string& root = "/");

}  // namespace switchyard::engine
