#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace switchyard::workload {

/// One request of a trace.
struct TraceRow {
  double arrival_seconds = 0;      ///< after the trace's first request
  std::int32_t input_tokens = 0;   ///< ≥ 1
  std::int32_t output_tokens = 0;  ///< ≥ 1
  /// Identities of the prompt's blocks of Trace::block_tokens tokens; prompts that begin with equal
  /// ids begin with equal text. Empty: the trace does not say.
  std::vector<std::int64_t> block_ids;
};

/// A trace file's usable rows in arrival order, and what was left out.
struct Trace {
  std::vector<TraceRow> rows;
  std::int32_t block_tokens = 512;
  std::int64_t bad_rows = 0;
  std::vector<std::int64_t> first_bad_lines;  ///< at most kMaxBadLines line numbers, from 1
  std::int64_t rows_without_tokens = 0;       ///< input or output 0: failed calls, skipped
  bool was_unsorted = false;
  bool timestamps_in_ms = false;

  static constexpr std::size_t kMaxBadLines = 5;
  void add_bad_row(std::int64_t line) {
    if (first_bad_lines.size() < kMaxBadLines) first_bad_lines.push_back(line);
    ++bad_rows;
  }
};

/// One line for each thing that was skipped or changed.
std::vector<std::string> notes_of(const Trace& trace);

}  // namespace switchyard::workload
