#include "engine/sim/sim_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace switchyard::engine {
namespace {

using nlohmann::json;

constexpr std::uintmax_t kLargestProfileBytes = 1 << 20;

struct CostField {
  const char* name;
  double StepCost::* member;
};

constexpr std::array<CostField, 7> kCostFields = {{
    {"step_us", &StepCost::step_us},
    {"pass_us", &StepCost::pass_us},
    {"prefill_token_us", &StepCost::prefill_token_us},
    {"prefill_context_us", &StepCost::prefill_context_us},
    {"decode_us", &StepCost::decode_us},
    {"decode_context_us", &StepCost::decode_context_us},
    {"copied_token_us", &StepCost::copied_token_us},
}};

SimOptions default_profile() { return {}; }

/// Fitted to what this model measured on two Zen 4 cores: decode time at batch 1, 16 and 32,
/// prefill rate, and every figure doubling at 2,048 tokens of context.
SimOptions cpu_smollm2_profile() {
  const auto cost = [](double pass, double prefill, double decode) {
    return StepCost{.pass_us = pass,
                    .prefill_token_us = prefill,
                    .prefill_context_us = prefill / 2.048,
                    .decode_us = decode,
                    .decode_context_us = 1000,
                    .copied_token_us = 8};
  };
  SimOptions options;
  options.profile = "cpu-smollm2";
  options.cost = cost(8200, 1430, 2050);
  options.mode_costs = {{"bf16", cost(6700, 885, 1650)},
                        {"f16", cost(8200, 1430, 2050)},
                        {"q8_0", cost(5000, 1340, 2100)},
                        {"q4_0", cost(3500, 1210, 1850)}};
  options.streams = 16;
  options.stream_capacity_tokens = 2048;
  return options;
}

struct Preset {
  std::string_view name;
  SimOptions (*make)();
};

constexpr std::array<Preset, 2> kPresets = {{
    {"default", default_profile},
    {"cpu-smollm2", cpu_smollm2_profile},
}};

/// Reads a profile; the first fault is kept and the rest of the reading does no harm.
class ProfileReader {
 public:
  SimOptions read(const json& document) {
    SimOptions options;
    if (!document.is_object()) {
      fault_ = "is not a JSON object";
      return options;
    }
    refuse_unknown(document, {"streams", "context_tokens", "pool_tokens", "cost", "modes"});
    options.streams = count(document, "streams", 65536);
    options.stream_capacity_tokens = count(document, "context_tokens", 1 << 24);
    if (document.contains("pool_tokens")) {
      options.pool_capacity_tokens = count(document, "pool_tokens", 1 << 30);
    }
    options.cost = cost(document, "cost");
    if (const auto modes = document.find("modes"); modes != document.end()) {
      if (!modes->is_object()) fail("\"modes\" is not an object");
      for (const auto& entry : modes->items()) {
        if (modes->is_object()) options.mode_costs[entry.key()] = cost(*modes, entry.key());
      }
    }
    return options;
  }

  const std::optional<std::string>& fault() const { return fault_; }

 private:
  void fail(std::string message) {
    if (!fault_) fault_ = std::move(message);
  }

  void refuse_unknown(const json& object, std::initializer_list<std::string_view> known) {
    for (const auto& entry : object.items()) {
      if (std::find(known.begin(), known.end(), entry.key()) == known.end()) {
        fail("has an unknown field; known are " + fmt::format("{}", fmt::join(known, ", ")));
      }
    }
  }

  std::int32_t count(const json& object, const char* name, std::int32_t most) {
    const auto value = object.find(name);
    const bool valid =
        value != object.end() && value->is_number_integer() && *value >= 1 && *value <= most;
    if (!valid) fail(fmt::format("\"{}\" must be a whole number from 1 to {}", name, most));
    return valid ? value->get<std::int32_t>() : 1;
  }

  StepCost cost(const json& object, const std::string& name) {
    StepCost result;
    const auto value = object.find(name);
    if (value == object.end() || !value->is_object()) {
      fail("\"cost\" and each mode must be an object of costs");
      return result;
    }
    if (value->size() != kCostFields.size()) fail("a cost needs its seven fields and no other");
    for (const CostField& field : kCostFields) {
      const auto number = value->find(field.name);
      const bool valid = number != value->end() && number->is_number() &&
                         number->get<double>() >= 0 && std::isfinite(number->get<double>());
      if (!valid)
        fail(fmt::format("\"{}\" must be a number of microseconds, 0 or more", field.name));
      if (valid) result.*field.member = number->get<double>();
    }
    return result;
  }

  std::optional<std::string> fault_;
};

Result<SimOptions> read_profile(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::kIo, fmt::format("simulation profile {}: {}", path, why), "engine"};
  };
  std::error_code status;
  if (!std::filesystem::is_regular_file(path, status)) {
    return refuse("no such file, and no such preset (default, cpu-smollm2)");
  }
  if (std::filesystem::file_size(path, status) > kLargestProfileBytes || status) {
    return refuse("larger than 1 MiB");
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return refuse("cannot be read");
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return refuse("is not valid JSON");
  ProfileReader reader;
  SimOptions options = reader.read(document);
  if (reader.fault()) return refuse(*reader.fault());
  options.profile = path;
  return options;
}

Result<SimOptions> profile_named(std::string_view name) {
  for (const Preset& preset : kPresets) {
    if (preset.name == name) return preset.make();
  }
  return read_profile(std::string(name));
}

std::optional<double> parse_speed(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool valid =
      error == std::errc() && end == text.data() + text.size() && value > 0 && std::isfinite(value);
  return valid ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<SimOptions> parse_sim_spec(std::string_view spec) {
  constexpr std::string_view kSpeed = ",speed=";
  double speed = 1;
  const std::size_t comma = spec.rfind(kSpeed);
  if (comma != std::string_view::npos) {
    const auto parsed = parse_speed(spec.substr(comma + kSpeed.size()));
    if (!parsed) {
      return Error{ErrorCode::kUsage, "--engine sim: speed must be a number above 0", "engine"};
    }
    speed = *parsed;
    spec = spec.substr(0, comma);
  }
  if (spec.empty()) {
    return Error{ErrorCode::kUsage, "--engine sim: needs a profile: default, cpu-smollm2 or a file",
                 "engine"};
  }
  auto options = profile_named(spec);
  if (options) options->speed = speed;
  return options;
}

}  // namespace switchyard::engine
