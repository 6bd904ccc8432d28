#include "commands/route_setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "calibration/calibration_file.h"
#include "calibration/presets.h"
#include "commands/route_quality.h"
#include "config/value.h"

namespace switchyard::commands {
namespace {

using calibration::Calibration;

constexpr std::uintmax_t kLargestBytes = 4 << 20;

Result<Calibration> read_costs(const config::Settings& settings) {
  const std::string& file = settings.get_string("calibration");
  const std::string& profile = settings.get_string("profile");
  if (file.empty() == profile.empty()) {
    return Error{ErrorCode::kUsage,
                 fmt::format("expected either --calibration FILE or --profile NAME, one of {}",
                             fmt::join(calibration::kPresetNames, ", ")),
                 "calibration"};
  }
  if (!file.empty()) return calibration::read_calibration(file);
  if (auto preset = calibration::preset(profile)) return *std::move(preset);
  return Error{ErrorCode::kUsage,
               fmt::format("--profile: expected one of {}, got '{}'",
                           fmt::join(calibration::kPresetNames, ", "), config::printable(profile)),
               "profile"};
}

Result<void> add_lane(const Calibration& costs, const std::string& weights, std::int32_t streams,
                      router::RouterSetup& setup) {
  const calibration::ModeCosts* found = calibration::find_mode(costs, weights);
  if (found != nullptr) {
    setup.lanes.push_back({.weights = weights, .costs = *found, .streams = streams});
    return {};
  }
  std::vector<std::string> known;
  known.reserve(costs.modes.size());
  for (const auto& mode : costs.modes) known.push_back(mode.mode);
  return Error{ErrorCode::kUsage,
               fmt::format("--modes: no costs of '{}': expected some of {}",
                           config::printable(weights), fmt::join(known, ", ")),
               "modes"};
}

}  // namespace

Result<std::string> read_small_file(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) {
    return Error{ErrorCode::kIo, path + ": is a directory", ""};
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(kLargestBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.eof() && !file) return Error{ErrorCode::kIo, path + ": cannot be read", ""};
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestBytes) return Error{ErrorCode::kIo, path + ": is over 4 MiB", ""};
  return text;
}

Result<LoadedSetup> read_route_setup(const config::Settings& settings) {
  const auto costs = read_costs(settings);
  if (!costs) return costs.error();
  LoadedSetup result;
  const std::string& profile = settings.get_string("profile");
  result.source = profile.empty() ? settings.get_string("calibration") : "profile " + profile;
  result.label = costs->label;
  std::vector<std::string> weights = settings.get_list("modes");
  if (weights.empty()) {
    for (const auto& mode : costs->modes) weights.push_back(mode.mode);
  }
  const auto streams = static_cast<std::int32_t>(settings.get_int("max-num-seqs"));
  for (const std::string& name : weights) {
    if (auto added = add_lane(*costs, name, streams, result.setup); !added) return added.error();
  }
  if (!profile.empty()) apply_profile_quality(result.setup);
  if (const std::string& path = settings.get_string("quality"); !path.empty()) {
    const auto text = read_small_file(path);
    if (!text) return text.error();
    if (auto done = apply_quality(*text, path, result.setup); !done) return done.error();
    result.quality_given = true;
  }
  return result;
}

}  // namespace switchyard::commands
