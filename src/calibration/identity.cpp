#include "calibration/identity.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace switchyard::calibration {
namespace {

constexpr std::size_t kShownBytes = 100;
constexpr std::uint64_t kGib = 1ULL << 30U;

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

/// Whole GiB: a virtual machine's memory differs by some pages from one start to the next.
std::uint64_t memory_bytes() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const auto bytes = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  return (bytes + kGib / 2) / kGib * kGib;
}

/// A value of a file, fit for one line of a terminal.
std::string shown(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, kShownBytes)) result += c >= ' ' && c <= '~' ? c : '?';
  return result.empty() ? "none" : result;
}

Result<void> same(std::string_view what, const std::string& measured, const std::string& here) {
  if (measured == here) return {};
  return Error{
      ErrorCode::kUsage,
      fmt::format("the calibration was made {} {}, here it is {}; run switchyard calibrate", what,
                  shown(measured), shown(here)),
      "calibration"};
}

}  // namespace

Identity on_this_machine(Identity here) {
  here.cpu = cpu_name();
  here.cores = static_cast<std::int32_t>(std::thread::hardware_concurrency());
  here.memory_bytes = memory_bytes();
  return here;
}

Result<void> check_identity(const Identity& measured, const Identity& here) {
  const auto count = [](auto value) { return fmt::format("{}", value); };
  const auto gib = [](std::uint64_t bytes) { return fmt::format("{} GiB", bytes / kGib); };
  const std::pair<std::string_view, std::pair<std::string, std::string>> parts[] = {
      {"for other weights:", {measured.model, here.model}},
      {"by another build: version", {measured.version, here.version}},
      {"by another build: engine", {measured.engine, here.engine}},
      {"by another build: kernels", {measured.build_flags, here.build_flags}},
      {"on another machine: devices", {measured.devices, here.devices}},
      {"on another machine: CPU", {measured.cpu, here.cpu}},
      {"on another machine: cores", {count(measured.cores), count(here.cores)}},
      {"on another machine: memory", {gib(measured.memory_bytes), gib(here.memory_bytes)}},
      {"with other engine threads (0 = one per core):",
       {count(measured.threads), count(here.threads)}},
  };
  for (const auto& [what, values] : parts) {
    if (auto checked = same(what, values.first, values.second); !checked) return checked;
  }
  return {};
}

}  // namespace switchyard::calibration
