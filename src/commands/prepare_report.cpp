#include "commands/prepare_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace switchyard::commands {
namespace {

using Json = nlohmann::ordered_json;
using engine::GgufFile;

constexpr double kMajority = 0.5;

std::vector<std::string> source_notes(const GgufFile& file) {
  const engine::TensorType& type = engine::main_type(file);
  if (!type.quantized) return {};
  return {
      fmt::format("the source is itself quantized (mostly {}): the reference is its dequantized "
                  "F16 or BF16 form, and every mode is derived from those values",
                  type.name)};
}

/// Weights that the source has in this type already are copied or used as they are.
bool is_source_again(const GgufFile& source, const std::string& type) {
  return engine::main_type(source).quantized && engine::main_type(source).name == type;
}

std::vector<std::string> mode_notes(const GgufFile& source, const PreparedMode& prepared) {
  std::vector<std::string> notes;
  const GgufFile& file = prepared.weights.file;
  const std::string type = engine::tensor_type_name(prepared.mode);
  if (is_source_again(source, type)) {
    notes.push_back(fmt::format(
        "{} weights of the source are kept as they are: they equal the reference, which is made "
        "from them, so this is no measure of what quantizing to {} loses",
        type, prepared.mode.name));
  }
  const double share = engine::weight_share(file, type);
  if (share < kMajority) {
    const std::string& most = engine::main_type(file).name;
    notes.push_back(fmt::format(
        "only {:.0f} % of the weights are {}, {} holds the most ({:.0f} %): another type is taken "
        "for "
        "rows that are no multiple of a type's block (256 for most K and IQ types) and for "
        "tensors that lose more",
        share * 100, type, most, engine::weight_share(file, most) * 100));
  }
  return notes;
}

const char* origin_name(engine::WeightsOrigin origin) {
  switch (origin) {
    case engine::WeightsOrigin::kSource:
      return "source";
    case engine::WeightsOrigin::kCached:
      return "cached";
    case engine::WeightsOrigin::kDerived:
      return "derived";
  }
  return "";
}

std::string figures(const GgufFile& file) {
  return fmt::format("{:.1f} MB, {:.2f} bits per weight: {}",
                     static_cast<double>(file.file_bytes) / 1e6, engine::bits_per_weight(file),
                     engine::tensor_mix(file));
}

std::string note_lines(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += "  note: " + note + "\n";
  return text;
}

Json json_of(const GgufFile& file) {
  Json tensors = Json::object();
  for (const engine::TensorType& type : file.tensor_types) tensors[type.name] = type.tensors;
  return {{"bytes", file.file_bytes},
          {"parameters", file.parameters},
          {"bits_per_weight", engine::bits_per_weight(file)},
          {"main_type", engine::main_type(file).name},
          {"tensors", std::move(tensors)}};
}

Json json_of(const GgufFile& source, const PreparedMode& prepared) {
  const std::string type = engine::tensor_type_name(prepared.mode);
  Json json = {{"mode", prepared.mode.name},
               {"status", origin_name(prepared.weights.origin)},
               {"path", prepared.weights.path},
               {"seconds", prepared.seconds},
               {"asked_type", type},
               {"asked_type_share", engine::weight_share(prepared.weights.file, type)},
               {"kept_from_source", is_source_again(source, type)}};
  json.update(json_of(prepared.weights.file));
  json["notes"] = mode_notes(source, prepared);
  return json;
}

}  // namespace

std::string source_text(const PrepareReport& report) {
  const GgufFile& file = report.source.file;
  return fmt::format("source   {}\n  {}\n", report.source.path, figures(file)) +
         note_lines(source_notes(file));
}

std::string mode_text(const PrepareReport& report, const PreparedMode& prepared) {
  return fmt::format("{:<8} {} in {:.1f} s: {}\n  {}\n", prepared.mode.name,
                     origin_name(prepared.weights.origin), prepared.seconds, prepared.weights.path,
                     figures(prepared.weights.file)) +
         note_lines(mode_notes(report.source.file, prepared));
}

std::string render_json(const PrepareReport& report) {
  Json source = {{"path", report.source.path}, {"sha256", report.source_hash}};
  source.update(json_of(report.source.file));
  source["quantized"] = engine::main_type(report.source.file).quantized;
  source["notes"] = source_notes(report.source.file);
  Json modes = Json::array();
  for (const PreparedMode& prepared : report.modes) {
    modes.push_back(json_of(report.source.file, prepared));
  }
  const Json document = {{"schema", "switchyard.prepare.v1"},
                         {"partial", !report.failure.empty()},
                         {"error", report.failure.empty() ? Json(nullptr) : Json(report.failure)},
                         {"source", std::move(source)},
                         {"modes", std::move(modes)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace switchyard::commands
