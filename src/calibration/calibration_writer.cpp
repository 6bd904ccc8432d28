#include <nlohmann/json.hpp>
#include <utility>

#include "calibration/calibration_file.h"
#include "calibration/schema.h"

namespace switchyard::calibration {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Identity& identity) {
  return {{"model", identity.model},     {"version", identity.version},
          {"engine", identity.engine},   {"build_flags", identity.build_flags},
          {"devices", identity.devices}, {"cpu", identity.cpu},
          {"cores", identity.cores},     {"memory_bytes", identity.memory_bytes},
          {"threads", identity.threads}};
}

Json decode_json(const ModeCosts& costs) {
  Json rows = Json::array();
  const auto width = static_cast<std::ptrdiff_t>(costs.decode_contexts.size());
  for (auto row = costs.decode_table_ms.begin(); row != costs.decode_table_ms.end(); row += width) {
    rows.push_back(std::vector<double>(row, row + width));
  }
  return {{"batches", costs.decode_batches}, {"contexts", costs.decode_contexts}, {"ms", rows}};
}

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const ModeCosts& costs, std::span<const Measurement> points) {
  Json verify = Json::array();
  for (const VerifyRatio& point : costs.verify_ratios) {
    verify.push_back({{"tokens", point.tokens}, {"ratio", point.ratio}});
  }
  Json measurements = Json::array();
  for (const Measurement& point : points) {
    measurements.push_back({{"what", point.what},
                            {"batch", point.batch},
                            {"tokens", point.tokens},
                            {"context", point.context},
                            {"median_ms", point.median_ms},
                            {"spread", point.spread},
                            {"samples", point.samples}});
  }
  return {{"mode", costs.mode},
          {"prefill",
           {{"pass_ms", costs.prefill_pass_ms},
            {"pass_context_ms", costs.prefill_pass_context_ms},
            {"token_ms", costs.prefill_token_ms},
            {"attention_ms", costs.prefill_attention_ms},
            {"chunk_tokens", costs.prefill_chunk_tokens}}},
          {"decode", decode_json(costs)},
          {"verify", std::move(verify)},
          {"restore_fixed_ms", optional_json(costs.restore_fixed_ms)},
          {"restore_ms_per_token", optional_json(costs.restore_token_ms)},
          {"prefill_watts", optional_json(costs.prefill_watts)},
          {"decode_watts", optional_json(costs.decode_watts)},
          {"power_reason", costs.decode_watts ? Json(nullptr) : Json("no power meter is read yet")},
          {"weights_bytes", costs.weights_bytes},
          {"kv_bytes_per_token", costs.kv_bytes_per_token},
          {"load_seconds", costs.load_seconds},
          {"fit_error", costs.fit_error},
          {"restore_error", costs.restore_error},
          {"spread", costs.spread},
          {"measurements", std::move(measurements)}};
}

}  // namespace

std::string render_calibration(const Calibration& calibration,
                               std::span<const MeasuredMode> measured) {
  Json modes = Json::array();
  for (const ModeCosts& costs : calibration.modes) {
    std::span<const Measurement> points;
    for (const MeasuredMode& mode : measured) {
      if (mode.mode == costs.mode) points = mode.points;
    }
    modes.push_back(to_json(costs, points));
  }
  const Json document = {{"schema", kSchema},
                         {"created", calibration.created},
                         {"label", calibration.label},
                         {"identity", to_json(calibration.identity)},
                         {"modes", std::move(modes)}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace switchyard::calibration
