#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "calibration/calibration_file.h"
#include "calibration/schema.h"

namespace switchyard::calibration {
namespace {

using nlohmann::json;

constexpr std::uintmax_t kLargestBytes = 4 << 20;
constexpr std::size_t kMostPoints = 4096;
constexpr std::int32_t kMostTokens = 1 << 30;

/// Reads typed fields; the first fault is kept and the rest of the reading does no harm.
class Reader {
 public:
  const std::optional<std::string>& fault() const { return fault_; }
  void fail(std::string message) {
    if (!fault_) fault_ = std::move(message);
  }

  const json& member(const json& object, const char* name) {
    static const json kNull;
    const bool known = object.is_object() && object.contains(name);
    if (!known) fail(fmt::format("has no \"{}\"", name));
    return known ? object[name] : kNull;
  }

  const json& list(const json& object, const char* name) {
    static const json kEmpty = json::array();
    const json& value = member(object, name);
    const bool valid = value.is_array() && !value.empty() && value.size() <= kMostPoints;
    if (!valid) fail(fmt::format("\"{}\" is not a list of 1 to {}", name, kMostPoints));
    return valid ? value : kEmpty;
  }

  std::string text(const json& object, const char* name) {
    const json& value = member(object, name);
    if (!value.is_string()) fail(fmt::format("\"{}\" is not a string", name));
    return value.is_string() ? value.get<std::string>() : std::string();
  }

  double number(const json& value, const char* name) {
    const bool valid =
        value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0;
    if (!valid) fail(fmt::format("\"{}\" is not a number of 0 or more", name));
    return valid ? value.get<double>() : 0;
  }
  double number_in(const json& object, const char* name) {
    return number(member(object, name), name);
  }
  std::optional<double> number_or_null(const json& object, const char* name) {
    const json& value = member(object, name);
    return value.is_null() ? std::nullopt : std::optional(number(value, name));
  }

  std::uint64_t count_in(const json& object, const char* name) {
    const json& value = member(object, name);
    if (!value.is_number_unsigned()) fail(fmt::format("\"{}\" is not a whole number", name));
    return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
  }

  std::int32_t tokens(const json& value, const char* name, std::int32_t least) {
    const bool valid = value.is_number_integer() && value >= least && value <= kMostTokens;
    if (!valid) fail(fmt::format("\"{}\" is not a whole number of {} or more", name, least));
    return valid ? value.get<std::int32_t>() : least;
  }

  std::vector<std::int32_t> axis(const json& object, const char* name, std::int32_t least) {
    std::vector<std::int32_t> values;
    for (const json& value : list(object, name)) {
      values.push_back(tokens(value, name, least));
      if (values.size() > 1 && values.back() <= values[values.size() - 2]) {
        fail(fmt::format("\"{}\" does not ascend", name));
      }
    }
    return values;
  }

 private:
  std::optional<std::string> fault_;
};

Identity read_identity(const json& object, Reader& reader) {
  return {.model = reader.text(object, "model"),
          .version = reader.text(object, "version"),
          .engine = reader.text(object, "engine"),
          .build_flags = reader.text(object, "build_flags"),
          .devices = reader.text(object, "devices"),
          .cpu = reader.text(object, "cpu"),
          .cores = reader.tokens(reader.member(object, "cores"), "cores", 0),
          .memory_bytes = reader.count_in(object, "memory_bytes"),
          .threads = reader.tokens(reader.member(object, "threads"), "threads", 0)};
}

void read_decode(const json& object, ModeCosts& costs, Reader& reader) {
  costs.decode_batches = reader.axis(object, "batches", 1);
  costs.decode_contexts = reader.axis(object, "contexts", 0);
  const json& rows = reader.list(object, "ms");
  for (const json& row : rows) {
    if (row.size() != costs.decode_contexts.size()) reader.fail("\"ms\" has a row of wrong length");
    for (const json& value : row) costs.decode_table_ms.push_back(reader.number(value, "ms"));
  }
  if (rows.size() != costs.decode_batches.size()) reader.fail("\"ms\" has a wrong number of rows");
}

void read_verify(const json& object, ModeCosts& costs, Reader& reader) {
  std::int32_t previous = 0;
  for (const json& point : reader.list(object, "verify")) {
    const std::int32_t tokens = reader.tokens(reader.member(point, "tokens"), "tokens", 1);
    if (tokens <= previous) reader.fail("\"verify\" does not ascend");
    previous = tokens;
    costs.verify_ratios.push_back({tokens, reader.number_in(point, "ratio")});
  }
  if (!costs.verify_ratios.empty() && costs.verify_ratios.front().tokens != 1) {
    reader.fail("\"verify\" does not begin at 1 token");
  }
}

ModeCosts read_mode(const json& object, Reader& reader) {
  ModeCosts costs;
  costs.mode = reader.text(object, "mode");
  const json& prefill = reader.member(object, "prefill");
  costs.prefill_pass_ms = reader.number_in(prefill, "pass_ms");
  costs.prefill_pass_context_ms = reader.number_in(prefill, "pass_context_ms");
  costs.prefill_token_ms = reader.number_in(prefill, "token_ms");
  costs.prefill_attention_ms = reader.number_in(prefill, "attention_ms");
  costs.prefill_chunk_tokens =
      reader.tokens(reader.member(prefill, "chunk_tokens"), "chunk_tokens", 1);
  read_decode(reader.member(object, "decode"), costs, reader);
  read_verify(object, costs, reader);
  costs.restore_fixed_ms = reader.number_or_null(object, "restore_fixed_ms");
  costs.restore_token_ms = reader.number_or_null(object, "restore_ms_per_token");
  costs.prefill_watts = reader.number_or_null(object, "prefill_watts");
  costs.decode_watts = reader.number_or_null(object, "decode_watts");
  costs.weights_bytes = reader.count_in(object, "weights_bytes");
  costs.kv_bytes_per_token = reader.count_in(object, "kv_bytes_per_token");
  costs.load_seconds = reader.number_in(object, "load_seconds");
  costs.fit_error = reader.number_in(object, "fit_error");
  costs.restore_error = reader.number_in(object, "restore_error");
  costs.spread = reader.number_in(object, "spread");
  return costs;
}

Calibration read_document(const json& document, Reader& reader) {
  Calibration calibration;
  const std::string schema = reader.text(document, "schema");
  if (!reader.fault() && schema != kSchema) {
    reader.fail(schema.starts_with(kSchemaFamily)
                    ? "is of another version than " + std::string(kSchema)
                    : "is no calibration file");
    return calibration;
  }
  calibration.created = reader.text(document, "created");
  calibration.label = reader.text(document, "label");
  calibration.identity = read_identity(reader.member(document, "identity"), reader);
  for (const json& mode : reader.list(document, "modes")) {
    ModeCosts costs = read_mode(mode, reader);
    if (find_mode(calibration, costs.mode) != nullptr) reader.fail("lists a mode twice");
    calibration.modes.push_back(std::move(costs));
  }
  return calibration;
}

}  // namespace

Result<Calibration> parse_calibration(std::string_view text, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::kIo, fmt::format("{} {}; run switchyard calibrate", name, why),
                 "calibration"};
  };
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return refuse("is not valid JSON, or cut");
  Reader reader;
  Calibration calibration = read_document(document, reader);
  if (reader.fault()) return refuse(*reader.fault());
  return calibration;
}

Result<Calibration> read_calibration(const std::string& path) {
  const std::string name = "calibration " + path;
  const auto refuse = [&](std::string_view why) {
    return Error{ErrorCode::kIo, fmt::format("{}: {}", name, why), "calibration"};
  };
  std::error_code status;
  if (!std::filesystem::is_regular_file(path, status)) return refuse("no such file");
  if (std::filesystem::file_size(path, status) > kLargestBytes || status) {
    return refuse("larger than 4 MiB");
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return refuse("cannot be read");
  return parse_calibration(text, name);
}

}  // namespace switchyard::calibration
