#include "router/mode.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace switchyard::router {
namespace {

constexpr std::string_view kPrefix = "prefix";
constexpr std::string_view kNgram = "ngram";
constexpr std::string_view kDraft = "draft";
constexpr std::size_t kEchoedBytes = 40;

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

/// The client's text, fit for an error message.
std::string echo(std::string_view text) {
  std::string shown(text.substr(0, kEchoedBytes));
  for (char& c : shown) c = c > ' ' && c < '\x7f' ? c : '?';
  return shown;
}

Error unknown_mode(std::string_view text, std::span<const std::string> weights) {
  return {ErrorCode::kUsage,
          fmt::format("no mode '{}': expected one of {}, then any of +{}, and +{} or +{}",
                      echo(text), fmt::join(weights, ", "), kPrefix, kNgram, kDraft),
          "mode"};
}

/// False for a part that is unknown, given twice or excluded by an earlier one.
bool apply(std::string_view part, Mode& mode) {
  if (equal_ignoring_case(part, kPrefix)) return !std::exchange(mode.prefix, true);
  if (mode.speculation != Speculation::kNone) return false;
  if (equal_ignoring_case(part, kNgram)) mode.speculation = Speculation::kNgram;
  if (equal_ignoring_case(part, kDraft)) mode.speculation = Speculation::kDraft;
  return mode.speculation != Speculation::kNone;
}

}  // namespace

std::string mode_name(const Mode& mode, std::span<const std::string> weights) {
  std::string name = weights[mode.lane];
  if (mode.prefix) name.append("+").append(kPrefix);
  if (mode.speculation == Speculation::kNgram) name.append("+").append(kNgram);
  if (mode.speculation == Speculation::kDraft) name.append("+").append(kDraft);
  return name;
}

Result<Mode> parse_mode(std::string_view text, std::span<const std::string> weights) {
  std::string_view rest = text;
  const auto next_part = [&rest] {
    const std::size_t plus = std::min(rest.find('+'), rest.size());
    const std::string_view part = rest.substr(0, plus);
    rest.remove_prefix(std::min(plus + 1, rest.size()));
    return part;
  };
  const std::string_view name = next_part();
  const auto lane = std::find_if(weights.begin(), weights.end(), [&](const std::string& known) {
    return equal_ignoring_case(known, name);
  });
  if (lane == weights.end() || text.ends_with('+')) return unknown_mode(text, weights);
  Mode mode{.lane = static_cast<std::uint8_t>(lane - weights.begin())};
  while (!rest.empty()) {
    if (!apply(next_part(), mode)) return unknown_mode(text, weights);
  }
  return mode;
}

}  // namespace switchyard::router
