#include "workload/trace_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "workload/trace_fields.h"

namespace switchyard::workload {

Result<void> CsvRows::read_header(std::string_view line) {
  std::optional<std::size_t> time;
  std::optional<std::size_t> input;
  std::optional<std::size_t> output;
  const auto names = split_csv(line);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto column = trace_column_of(names[i]);
    if (column == TraceColumn::kTime && !time) time = i;
    if (column == TraceColumn::kInputTokens && !input) input = i;
    if (column == TraceColumn::kOutputTokens && !output) output = i;
  }
  std::vector<std::string_view> missing;
  if (!time) missing.emplace_back("a timestamp");
  if (!input) missing.emplace_back("input tokens");
  if (!output) missing.emplace_back("output tokens");
  if (!missing.empty()) {
    return Error{ErrorCode::kIo,
                 fmt::format("its header names no column for {}", fmt::join(missing, ", ")), ""};
  }
  time_ = *time;
  input_ = *input;
  output_ = *output;
  return {};
}

RawRow CsvRows::read(std::string_view line) const {
  const auto fields = split_csv(line);
  RawRow row;
  if (time_ < fields.size()) row.seconds = parse_timestamp(fields[time_]);
  if (input_ < fields.size()) row.input_tokens = parse_tokens(fields[input_]);
  if (output_ < fields.size()) row.output_tokens = parse_tokens(fields[output_]);
  return row;
}

}  // namespace switchyard::workload
