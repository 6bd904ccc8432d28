#pragma once

#include <string>

#include "base/result.h"
#include "workload/trace.h"

namespace switchyard::workload {

enum class TimestampUnit {
  kAuto,  ///< ms for Mooncake's layout, else seconds
  kSeconds,
  kMilliseconds,
};

/// Most requests one trace may hold; a file with more is refused, so that memory stays bounded.
inline constexpr std::size_t kMaxTraceRows = 20'000'000;

/// Reads a trace: CSV with named columns (Azure LLM inference 2023, 2024, 2025; BurstGPT in both
/// layouts) or JSON Lines (Mooncake, Bailian, vLLM-style). Columns are found by name in any order
/// and others ignored. Bad rows are counted with their line numbers; kIo if none is usable, or if
/// the file has no column of time, input or output tokens.
Result<Trace> read_trace(const std::string& path, TimestampUnit unit = TimestampUnit::kAuto);

}  // namespace switchyard::workload
