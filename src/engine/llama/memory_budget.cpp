#include "engine/llama/memory_budget.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace switchyard::engine {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;  // "max" is no number: no limit
}

/// The number after `key` at the start of a line.
std::optional<std::uint64_t> field_in(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t value = 0;
    if (words >> name >> value && name == key) return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> system_available(const fs::path& root) {
  const auto kilobytes = field_in(root / "proc/meminfo", "MemAvailable:");
  return kilobytes ? std::optional(*kilobytes * 1024) : std::nullopt;
}

/// Path of this process's cgroup below the mount point, cgroup v2 ("0::/path").
std::string cgroup_path(const fs::path& root) {
  std::ifstream file(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("0::/")) return line.substr(4);
  }
  return "";
}

/// What the cgroup at `folder` leaves; its file pages count as free, since they can be dropped.
std::optional<std::uint64_t> cgroup_available(const fs::path& folder) {
  const auto limit = number_in(folder / "memory.max");
  const auto used = number_in(folder / "memory.current");
  if (!limit || !used) return std::nullopt;
  const std::uint64_t pages = field_in(folder / "memory.stat", "inactive_file").value_or(0) +
                              field_in(folder / "memory.stat", "active_file").value_or(0);
  const std::uint64_t held = *used > pages ? *used - pages : 0;
  return *limit > held ? *limit - held : 0;
}

}  // namespace

std::optional<std::uint64_t> available_memory(const std::string& root) {
  std::optional<std::uint64_t> least = system_available(root);
  const fs::path mount = fs::path(root) / "sys/fs/cgroup";
  // Every ancestor may set a limit; inside a container the own group is the mount point itself.
  for (fs::path relative = cgroup_path(root);; relative = relative.parent_path()) {
    if (const auto left = cgroup_available(mount / relative)) {
      least = std::min(*left, least.value_or(std::numeric_limits<std::uint64_t>::max()));
    }
    if (relative.empty()) return least;
  }
}

}  // namespace switchyard::engine
