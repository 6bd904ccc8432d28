#include "commands/calibrate_report.h"

#include <fmt/format.h>

#include <functional>
#include <string_view>

namespace switchyard::commands {
namespace {

using calibration::Calibration;
using calibration::ModeCosts;

constexpr double kPromptTokens = 512;
constexpr double kContext = 512;

std::string row(const Calibration& calibration, std::string_view name,
                const std::function<std::string(const ModeCosts&)>& cell) {
  std::string text = fmt::format("  {:<40}", name);
  for (const ModeCosts& costs : calibration.modes) text += fmt::format("{:>11}", cell(costs));
  return text + "\n";
}

std::string number(double value) { return fmt::format("{:.2f}", value); }
std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

}  // namespace

std::string calibration_table(const Calibration& calibration) {
  std::string text = row(calibration, "", [](const ModeCosts& costs) { return costs.mode; });
  const auto add = [&](std::string_view name, const auto& cell) {
    text += row(calibration, name, cell);
  };
  add("prompt of 512 tokens, ms",
      [](const ModeCosts& costs) { return number(prefill_ms(costs, kPromptTokens, 0)); });
  add("the same behind 1,024 others, ms",
      [](const ModeCosts& costs) { return number(prefill_ms(costs, kPromptTokens, 1024)); });
  if (calibration.modes.empty()) return text;
  for (const std::int32_t batch : calibration.modes.front().decode_batches) {
    add(fmt::format("decode of {} at 512 tokens, ms", batch),
        [batch](const ModeCosts& costs) { return number(decode_ms(costs, batch, kContext)); });
  }
  for (const auto& point : calibration.modes.front().verify_ratios) {
    add(fmt::format("r({})", point.tokens),
        [&point](const ModeCosts& costs) { return number(verify_ratio(costs, point.tokens)); });
  }
  add("restore of 512 tokens, ms", [](const ModeCosts& costs) {
    const auto ms = restore_ms(costs, kContext);
    return ms ? number(*ms) : "unknown";
  });
  add("load, s", [](const ModeCosts& costs) { return number(costs.load_seconds); });
  add("weights, MB", [](const ModeCosts& costs) { return number(costs.weights_bytes / 1e6); });
  add("KV memory per token, kB",
      [](const ModeCosts& costs) { return number(costs.kv_bytes_per_token / 1e3); });
  add("power, W", [](const ModeCosts& costs) {
    return costs.decode_watts ? number(*costs.decode_watts) : "unknown";
  });
  add("largest error of the prefill fit",
      [](const ModeCosts& costs) { return percent(costs.fit_error); });
  add("largest error of the restore fit", [](const ModeCosts& costs) {
    return costs.restore_token_ms ? percent(costs.restore_error) : "unknown";
  });
  add("largest spread of a point", [](const ModeCosts& costs) { return percent(costs.spread); });
  return text;
}

}  // namespace switchyard::commands
