#include "workload/trace_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "workload/line_reader.h"
#include "workload/trace_csv.h"
#include "workload/trace_fields.h"
#include "workload/trace_json.h"

namespace switchyard::workload {
namespace {

Error io_error(const std::string& path, std::string_view what) {
  return {ErrorCode::kIo, fmt::format("{}: {}", path, what), ""};
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

/// Adds the row that `fields` gives, or counts why there is none.
void add_row(RawRow fields, std::int64_t line, Trace& trace) {
  if (!fields.seconds || !fields.input_tokens || !fields.output_tokens) {
    trace.add_bad_row(line);
  } else if (*fields.input_tokens == 0 || *fields.output_tokens == 0) {
    ++trace.rows_without_tokens;
  } else {
    trace.rows.push_back({*fields.seconds, *fields.input_tokens, *fields.output_tokens,
                          std::move(fields.block_ids)});
  }
}

/// Sorts by time, moves the first arrival to 0 and turns the unit into seconds.
void settle_times(Trace& trace) {
  const auto earlier = [](const TraceRow& a, const TraceRow& b) {
    return a.arrival_seconds < b.arrival_seconds;
  };
  trace.was_unsorted = !std::is_sorted(trace.rows.begin(), trace.rows.end(), earlier);
  std::stable_sort(trace.rows.begin(), trace.rows.end(), earlier);
  const double first = trace.rows.front().arrival_seconds;
  const double unit = trace.timestamps_in_ms ? 1e-3 : 1.0;
  for (auto& row : trace.rows) row.arrival_seconds = (row.arrival_seconds - first) * unit;
}

Result<std::optional<Line>> first_line(LineReader& reader) {
  while (true) {
    auto line = reader.next();
    if (!line || !*line || !is_blank((*line)->text)) return line;
  }
}

}  // namespace

Result<Trace> read_trace(const std::string& path, TimestampUnit unit) {
  auto file = InputFile::open(path);
  if (!file) return file.error();
  LineReader reader(std::move(*file));
  auto line = first_line(reader);
  if (!line) return line.error();
  if (!*line) return io_error(path, "has no rows");

  const std::string_view head = (*line)->text;
  const bool is_json = head[head.find_first_not_of(" \t")] == '{';
  CsvRows csv;
  JsonRows json;
  if (!is_json) {
    if (auto header = csv.read_header(head); !header) {
      return io_error(path, header.error().message);
    }
    line = reader.next();
  }
  Trace trace;
  while (line && *line) {
    if ((*line)->too_long) {
      trace.add_bad_row((*line)->number);
    } else if (!is_blank((*line)->text)) {
      add_row(is_json ? json.read((*line)->text) : csv.read((*line)->text), (*line)->number, trace);
    }
    if (trace.rows.size() > kMaxTraceRows) {
      return io_error(path, fmt::format("has more than {} requests", kMaxTraceRows));
    }
    line = reader.next();
  }
  if (!line) return line.error();
  if (trace.rows.empty()) {
    return io_error(
        path, trace.bad_rows == 0 && trace.rows_without_tokens == 0
                  ? "has no rows"
                  : fmt::format("has no usable row ({} bad, {} without tokens){}", trace.bad_rows,
                                trace.rows_without_tokens, json.missing_keys()));
  }
  trace.block_tokens = json.block_tokens();
  trace.timestamps_in_ms = unit == TimestampUnit::kAuto ? json.looks_like_milliseconds()
                                                        : unit == TimestampUnit::kMilliseconds;
  settle_times(trace);
  return trace;
}

std::vector<std::string> notes_of(const Trace& trace) {
  std::vector<std::string> notes;
  if (trace.bad_rows > 0) {
    notes.push_back(fmt::format(
        "{} bad rows skipped (line{} {}{})", trace.bad_rows, trace.bad_rows > 1 ? "s" : "",
        fmt::join(trace.first_bad_lines, ", "),
        trace.bad_rows > static_cast<std::int64_t>(trace.first_bad_lines.size()) ? ", …" : ""));
  }
  if (trace.rows_without_tokens > 0) {
    notes.push_back(fmt::format("{} rows without input or output tokens skipped (failed calls)",
                                trace.rows_without_tokens));
  }
  if (trace.was_unsorted) notes.emplace_back("the trace was not in order of time: sorted");
  if (trace.timestamps_in_ms) notes.emplace_back("timestamps are read as milliseconds");
  return notes;
}

}  // namespace switchyard::workload
