#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workload/input_file.h"

namespace switchyard::workload {

/// Cuts a JSON array of objects (or objects one after another, as in JSON Lines) into the objects'
/// bytes without parsing them, in memory bounded by the largest one. Not thread safe.
class RecordScanner {
 public:
  static constexpr std::size_t kMaxRecordBytes = 64 << 20;

  explicit RecordScanner(InputFile file);

  /// The next whole record, valid until the next call; no value at the end of the array or file,
  /// also where the file ends inside a record. kIo if the bytes between records are not JSON, or a
  /// record is larger than kMaxRecordBytes.
  Result<std::optional<std::string_view>> next();

  /// After next() gave no value: the array's or record's end is missing. `cut_offset` is the file
  /// offset just past the last byte, `cut_record_offset` that of the record it ends in.
  bool is_cut() const { return cut_; }
  std::uint64_t cut_offset() const { return offset_; }
  std::uint64_t cut_record_offset() const { return record_offset_; }

  /// Offset of the record that next() gave last.
  std::uint64_t record_offset() const { return record_offset_; }

 private:
  enum class Step { kNothing, kRecord, kArrayEnd, kNotJson };
  Step consume(char byte);
  Error too_large() const;
  Error not_json() const;

  InputFile file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;  ///< of the next byte to consume
  std::uint64_t record_offset_ = 0;
  std::string record_;
  int depth_ = 0;  ///< open brackets of the record; 0 = between records
  bool in_string_ = false;
  bool escaped_ = false;
  bool in_array_ = false;
  bool done_ = false;
  bool cut_ = false;
};

}  // namespace switchyard::workload
