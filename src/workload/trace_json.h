#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "workload/raw_row.h"

namespace switchyard::workload {

/// Rows of a trace in JSON Lines.
class JsonRows {
 public:
  JsonRows();
  ~JsonRows();
  JsonRows(const JsonRows&) = delete;
  JsonRows& operator=(const JsonRows&) = delete;

  /// A value is absent where the line is not an object, lacks the key, or holds none.
  RawRow read(std::string_view line);

  /// Mooncake's layout (`input_length`, whose `timestamp` is in ms) and not Bailian's, which has
  /// the same names in seconds beside a `chat_id`.
  bool looks_like_milliseconds() const { return has_input_length_ && !has_chat_id_; }
  /// Tokens per entry of `hash_ids`: 16 in Bailian's layout, 512 in Mooncake's.
  int block_tokens() const { return has_chat_id_ ? 16 : 512; }
  /// ": no line has a timestamp" and the like, or empty.
  std::string missing_keys() const;

 private:
  struct Parser;
  void read_fields(std::string_view line, RawRow& row);

  std::unique_ptr<Parser> parser_;
  bool has_input_length_ = false;
  bool has_chat_id_ = false;
  bool any_time_ = false;
  bool any_line_ = false;
};

}  // namespace switchyard::workload
