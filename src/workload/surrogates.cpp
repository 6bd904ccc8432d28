#include "workload/surrogates.h"

#include <charconv>
#include <string_view>

namespace switchyard::workload {
namespace {

constexpr std::size_t kEscapeBytes = 6;  // \uXXXX

/// The code unit of the \uXXXX escape at `at`, or −1.
int code_unit_at(std::string_view json, std::size_t at) {
  if (at + kEscapeBytes > json.size() || json[at] != '\\' || json[at + 1] != 'u') return -1;
  int unit = -1;
  const char* from = json.data() + at + 2;
  const auto parsed = std::from_chars(from, from + 4, unit, 16);
  return parsed.ptr == from + 4 ? unit : -1;
}

bool is_high(int unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(int unit) { return unit >= 0xDC00 && unit < 0xE000; }

}  // namespace

std::int64_t repair_lone_surrogates(std::string& json) {
  std::int64_t repaired = 0;
  std::size_t at = json.find('\\');
  while (at != std::string::npos) {
    std::size_t step = 2;  // an escape is a backslash and at least one byte
    const int unit = code_unit_at(json, at);
    if (is_high(unit) && is_low(code_unit_at(json, at + kEscapeBytes))) {
      step = 2 * kEscapeBytes;
    } else if (is_high(unit) || is_low(unit)) {
      json.replace(at + 2, 4, "fffd");
      ++repaired;
      step = kEscapeBytes;
    }
    at = json.find('\\', at + step);
  }
  return repaired;
}

}  // namespace switchyard::workload
