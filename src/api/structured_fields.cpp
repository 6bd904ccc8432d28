#include "api/structured_fields.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "api/limits.h"

namespace switchyard::api {
namespace {

using nlohmann::json;

Error invalid(std::string message, std::string param) {
  return {ErrorCode::kInvalidRequest, std::move(message), std::move(param)};
}

const json* find_value(const json& object, const char* name) {
  const auto it = object.find(name);
  return it == object.end() || it->is_null() ? nullptr : &*it;
}

std::optional<core::TokenId> parse_token_id(const std::string& text) {
  core::TokenId id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || end != text.data() + text.size() || id < 0) return std::nullopt;
  return id;
}

}  // namespace

Result<std::vector<std::string>> read_stop(const json& body) {
  const auto wrong = [] {
    return invalid(fmt::format("'stop' must be a string or a list of at most {} strings, each of 1 "
                               "to {} bytes",
                               kMaxStops, kMaxStopBytes),
                   "stop");
  };
  const json* value = find_value(body, "stop");
  if (value == nullptr) return std::vector<std::string>{};
  const json list = value->is_array() ? *value : json::array({*value});
  if (list.size() > kMaxStops) return wrong();
  std::vector<std::string> stops;
  for (const json& stop : list) {
    if (!stop.is_string()) return wrong();
    stops.push_back(stop.get<std::string>());
    if (stops.back().empty() || stops.back().size() > kMaxStopBytes) return wrong();
  }
  return stops;
}

Result<std::vector<core::LogitBias>> read_logit_bias(const json& body) {
  const auto wrong = [] {
    return invalid(fmt::format("'logit_bias' must map at most {} token ids to numbers from -100 to "
                               "100",
                               kMaxLogitBiases),
                   "logit_bias");
  };
  std::vector<core::LogitBias> biases;
  const json* value = find_value(body, "logit_bias");
  if (value == nullptr) return biases;
  if (!value->is_object() || value->size() > kMaxLogitBiases) return wrong();
  for (const auto& [key, bias] : value->items()) {
    const auto token = parse_token_id(key);
    if (!token || !bias.is_number()) return wrong();
    const auto number = bias.get<double>();
    if (!(number >= -100.0 && number <= 100.0)) return wrong();
    biases.push_back({*token, static_cast<float>(number)});
  }
  return biases;
}

Result<bool> read_include_usage(const json& body) {
  const json* options = find_value(body, "stream_options");
  if (options == nullptr) return false;
  if (!options->is_object()) {
    return invalid("'stream_options' must be an object", "stream_options");
  }
  const json* include = find_value(*options, "include_usage");
  if (include == nullptr) return false;
  if (!include->is_boolean()) {
    return invalid("'stream_options.include_usage' must be true or false",
                   "stream_options.include_usage");
  }
  return include->get<bool>();
}

}  // namespace switchyard::api
