#include "client/sse_parser.h"

#include <utility>

namespace switchyard::client {

std::optional<std::string_view> SseParser::next_line() {
  const std::string_view rest = std::string_view(pending_).substr(begin_);
  const std::size_t end = rest.find_first_of("\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  std::size_t next = end + 1;
  if (rest[end] == '\r') {
    if (next == rest.size()) return std::nullopt;  // an LF may follow
    if (rest[next] == '\n') ++next;
  }
  begin_ += next;
  return rest.substr(0, end);
}

void SseParser::take_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == 0) return;
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "event") event_.name = std::string(value);
  if (field == "error") event_.name = "error";
  if (field == "data" || field == "error") {
    if (has_data_) event_.data.push_back('\n');
    event_.data.append(value);
    has_data_ = true;
  }
}

std::optional<SseEvent> SseParser::next() {
  while (const auto line = next_line()) {
    if (!line->empty()) {
      take_line(*line);
      continue;
    }
    SseEvent event = std::exchange(event_, {});
    if (!std::exchange(has_data_, false)) continue;
    if (event.name.empty()) event.name = "message";
    return event;
  }
  pending_.erase(0, std::exchange(begin_, 0));
  return std::nullopt;
}

}  // namespace switchyard::client
