#include "workload/trace_json.h"

#include <simdjson.h>

#include <cmath>

#include "workload/trace_fields.h"

namespace switchyard::workload {
namespace {

namespace ondemand = simdjson::ondemand;

std::optional<double> time_of(ondemand::value value) {
  if (value.type() == ondemand::json_type::string) {
    // Dates come as strings; a number in a string is taken for a mistake in the file.
    const std::string_view text = value.get_string();
    return text.find('-') == std::string_view::npos ? std::nullopt : parse_timestamp(text);
  }
  const double number = value.get_double();
  if (!std::isfinite(number) || number < 0) return std::nullopt;
  return number;
}

std::optional<std::int32_t> tokens_of(ondemand::value value) {
  return parse_tokens(std::string_view(value.raw_json_token()));
}

}  // namespace

struct JsonRows::Parser {
  ondemand::parser parser;
  std::string padded;
};

JsonRows::JsonRows() : parser_(std::make_unique<Parser>()) {}
JsonRows::~JsonRows() = default;

void JsonRows::read_fields(std::string_view line, RawRow& row) {
  parser_->padded.assign(line);
  parser_->padded.append(simdjson::SIMDJSON_PADDING, ' ');
  ondemand::document document =
      parser_->parser.iterate(parser_->padded.data(), line.size(), parser_->padded.size());
  for (auto field : document.get_object()) {
    const std::string_view key = field.unescaped_key();
    if (key == "chat_id") has_chat_id_ = true;
    if (key == "input_length") has_input_length_ = true;
    if (key == "hash_ids") {
      for (auto id : field.value().get_array()) row.block_ids.push_back(id.get_int64());
      continue;
    }
    const auto column = trace_column_of(key);
    if (column == TraceColumn::kTime) {
      any_time_ = true;
      row.seconds = time_of(field.value());
    } else if (column == TraceColumn::kInputTokens) {
      row.input_tokens = tokens_of(field.value());
    } else if (column == TraceColumn::kOutputTokens) {
      row.output_tokens = tokens_of(field.value());
    }
  }
}

RawRow JsonRows::read(std::string_view line) {
  any_line_ = true;
  RawRow row;
  try {
    read_fields(line, row);
  } catch (const simdjson::simdjson_error&) {
    return {};
  }
  return row;
}

std::string JsonRows::missing_keys() const {
  return any_line_ && !any_time_ ? ": no line has a timestamp" : "";
}

}  // namespace switchyard::workload
