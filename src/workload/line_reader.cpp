#include "workload/line_reader.h"

#include <algorithm>
#include <utility>

namespace switchyard::workload {
namespace {

constexpr std::size_t kBufferBytes = 256 * 1024;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

LineReader::LineReader(InputFile file) : file_(std::move(file)), buffer_(kBufferBytes) {}

Result<bool> LineReader::fill() {
  auto got = file_.read(buffer_);
  if (!got) return got.error();
  begin_ = 0;
  end_ = *got;
  return end_ > 0;
}

Result<std::optional<Line>> LineReader::next() {
  line_.clear();
  bool too_long = false;
  bool ended = false;
  bool any = false;
  while (!ended) {
    if (begin_ == end_) {
      auto more = fill();
      if (!more) return more.error();
      if (!*more) break;
    }
    any = true;
    const char* from = buffer_.data() + begin_;
    const char* to = buffer_.data() + end_;
    const char* newline = std::find(from, to, '\n');
    const auto length = static_cast<std::size_t>(newline - from);
    const std::size_t room = kMaxBytes - line_.size();
    line_.append(from, std::min(length, room));
    too_long = too_long || length > room;
    ended = newline != to;
    begin_ += length + (ended ? 1 : 0);
  }
  if (!any) return std::optional<Line>();
  ++number_;
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  std::string_view text = line_;
  if (number_ == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return std::optional<Line>(Line{text, number_, too_long});
}

}  // namespace switchyard::workload
