#include "workload/record_scanner.h"

#include <fmt/format.h>

#include <utility>

namespace switchyard::workload {
namespace {

constexpr std::size_t kBufferBytes = 256 * 1024;

bool is_between_records(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' || byte == ',';
}

bool is_byte_order_mark(char byte, std::uint64_t offset) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return offset < kByteOrderMark.size() && kByteOrderMark[offset] == byte;
}

}  // namespace

RecordScanner::RecordScanner(InputFile file) : file_(std::move(file)), buffer_(kBufferBytes) {}

RecordScanner::Step RecordScanner::consume(char byte) {
  if (depth_ == 0) {
    if (is_between_records(byte) || is_byte_order_mark(byte, offset_)) return Step::kNothing;
    if (byte == '[' && !in_array_) {
      in_array_ = true;
      return Step::kNothing;
    }
    if (byte == ']' && in_array_) return Step::kArrayEnd;
    if (byte != '{') return Step::kNotJson;
    record_.clear();
    record_offset_ = offset_;
  }
  record_.push_back(byte);
  if (in_string_) {
    if (escaped_) {
      escaped_ = false;
    } else if (byte == '\\') {
      escaped_ = true;
    } else if (byte == '"') {
      in_string_ = false;
    }
    return Step::kNothing;
  }
  if (byte == '"') in_string_ = true;
  if (byte == '{' || byte == '[') ++depth_;
  if (byte == '}' || byte == ']') --depth_;
  return depth_ == 0 ? Step::kRecord : Step::kNothing;
}

Result<std::optional<std::string_view>> RecordScanner::next() {
  while (!done_) {
    if (begin_ == end_) {
      auto got = file_.read(buffer_);
      if (!got) return got.error();
      begin_ = 0;
      end_ = *got;
      if (end_ == 0) {
        done_ = true;
        cut_ = depth_ > 0 || in_array_;
        break;
      }
    }
    const Step step = consume(buffer_[begin_]);
    if (step == Step::kNotJson) return not_json();
    ++begin_;
    ++offset_;
    if (step == Step::kRecord) return std::optional<std::string_view>(record_);
    if (step == Step::kArrayEnd) done_ = true;
    if (record_.size() > kMaxRecordBytes) return too_large();
  }
  return std::optional<std::string_view>();
}

Error RecordScanner::too_large() const {
  return {ErrorCode::kIo,
          fmt::format("{}: the record at byte {} is larger than {} MiB", file_.path(),
                      record_offset_, kMaxRecordBytes >> 20),
          ""};
}

Error RecordScanner::not_json() const {
  return {ErrorCode::kIo,
          fmt::format("{}: not an array of JSON records (byte {})", file_.path(), offset_), ""};
}

}  // namespace switchyard::workload
