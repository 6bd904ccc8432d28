#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workload/input_file.h"

namespace switchyard::workload {

struct Line {
  std::string_view text;    ///< without the line end; valid until the next call
  std::int64_t number = 0;  ///< from 1
  bool too_long = false;    ///< longer than kMaxBytes: `text` holds its beginning
};

/// Lines of a text file in flat memory: LF or CRLF ends, a BOM at the start is dropped, the last
/// line needs no end. Not thread safe.
class LineReader {
 public:
  static constexpr std::size_t kMaxBytes = 1 << 20;

  explicit LineReader(InputFile file);

  /// No value at the end of the file.
  Result<std::optional<Line>> next();

 private:
  Result<bool> fill();

  InputFile file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string line_;
  std::int64_t number_ = 0;
};

}  // namespace switchyard::workload
