#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "workload/raw_row.h"

namespace switchyard::workload {

/// Rows of a trace in CSV with a header.
class CsvRows {
 public:
  /// Finds the three columns; the error's message names the ones that are missing.
  Result<void> read_header(std::string_view line);
  /// A value is absent where the field is missing or is none. Precondition: read_header succeeded.
  RawRow read(std::string_view line) const;

 private:
  std::size_t time_ = 0;
  std::size_t input_ = 0;
  std::size_t output_ = 0;
};

}  // namespace switchyard::workload
