#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace switchyard::workload {

/// What one line of a trace holds, before it is judged. `seconds` is in the file's own unit.
struct RawRow {
  std::optional<double> seconds;
  std::optional<std::int32_t> input_tokens;
  std::optional<std::int32_t> output_tokens;
  std::vector<std::int64_t> block_ids;
};

}  // namespace switchyard::workload
