#include "commands/route_quality.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace switchyard::commands {
namespace {

using nlohmann::json;
using router::LaneQuality;
using router::Quality;

constexpr std::string_view kSchema = "switchyard.quality.v1";
constexpr std::string_view kAllClasses = "all";
constexpr std::array<std::string_view, 2> kProfileReferences = {"fp16-graphs", "speculative"};

/// A field's number; empty if it is absent or none.
std::optional<double> number(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

Result<Quality> read_quality(const json& entry) {
  const Error fault{ErrorCode::kIo, "expected \"top1_agreement\" from 0 to 1 and \"mean_kl\" >= 0",
                    ""};
  if (!entry.is_object()) return fault;
  const auto top1 = number(entry, "top1_agreement");
  const auto kl = number(entry, "mean_kl");
  if (!top1 || !kl || !(*top1 >= 0 && *top1 <= 1) || !(*kl >= 0)) return fault;
  return Quality{*top1, *kl, number(entry, "accuracy_low_points")};
}

Result<void> read_class(const std::string& name, const json& entry, LaneQuality& quality) {
  const auto known = read_quality(entry);
  if (!known)
    return Error{ErrorCode::kIo, fmt::format("of a class: {}", known.error().message), ""};
  if (name == kAllClasses) {
    for (auto& value : quality.by_class) value = value ? value : *known;
    return {};
  }
  const auto& names = router::kRequestClassNames;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return Error{
        ErrorCode::kIo,
        fmt::format("unknown class: expected {} or {}", fmt::join(names, ", "), kAllClasses), ""};
  }
  quality.by_class[static_cast<std::size_t>(found - names.begin())] = *known;
  return {};
}

Result<LaneQuality> read_mode(const json& mode) {
  LaneQuality quality;
  quality.is_reference = mode.value("is_reference", false);
  const auto classes = mode.find("classes");
  if (classes == mode.end()) return quality;
  if (!classes->is_object()) return Error{ErrorCode::kIo, "\"classes\" is no object", ""};
  for (const auto& [name, entry] : classes->items()) {
    if (name == kAllClasses) continue;
    if (auto read = read_class(name, entry, quality); !read) return read.error();
  }
  if (const auto all = classes->find(kAllClasses); all != classes->end()) {
    if (auto read = read_class(std::string(kAllClasses), *all, quality); !read) return read.error();
  }
  return quality;
}

Result<void> apply_modes(const json& document, router::RouterSetup& setup) {
  const auto fault = [](std::string message) {
    return Error{ErrorCode::kIo, std::move(message), ""};
  };
  if (!document.is_object() || document.value("schema", "") != kSchema) {
    return fault(fmt::format("is not of schema {}", kSchema));
  }
  const auto modes = document.find("modes");
  if (modes == document.end() || !modes->is_array()) return fault("has no list \"modes\"");
  for (const json& mode : *modes) {
    if (!mode.is_object() || !mode.contains("mode")) return fault("has an entry without \"mode\"");
    const auto lane = std::find_if(
        setup.lanes.begin(), setup.lanes.end(),
        [&](const router::Lane& candidate) { return mode["mode"] == candidate.weights; });
    if (lane == setup.lanes.end()) continue;
    auto quality = read_mode(mode);
    if (!quality) return quality.error();
    lane->quality = *std::move(quality);
  }
  return {};
}

}  // namespace

Result<void> apply_quality(std::string_view text, const std::string& name,
                           router::RouterSetup& setup) {
  try {
    auto applied = apply_modes(json::parse(text), setup);
    if (applied) return applied;
    return Error{ErrorCode::kIo, name + ": " + applied.error().message, "quality"};
  } catch (const json::exception&) {
    return Error{ErrorCode::kIo, name + ": is not JSON of the documented form", "quality"};
  }
}

void apply_profile_quality(router::RouterSetup& setup) {
  for (router::Lane& lane : setup.lanes) {
    lane.quality.is_reference = std::find(kProfileReferences.begin(), kProfileReferences.end(),
                                          lane.weights) != kProfileReferences.end();
  }
}

}  // namespace switchyard::commands
