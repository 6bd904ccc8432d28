#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace switchyard::client {

struct SseEvent {
  std::string name;  ///< of the "event:" field; "message" if there is none
  std::string data;
};

/// Server-sent events (WHATWG HTML, section 9.2.6) from bytes in any division. Lines end with LF,
/// CRLF or CR; comments and unknown fields are ignored, except "error:", which old llama-server
/// versions send in place of data: it gives an event of that name.
class SseParser {
 public:
  static constexpr std::size_t kMaxEventBytes = 8 << 20;

  void append(std::string_view bytes) { pending_.append(bytes); }
  /// The next whole event, if there is one.
  std::optional<SseEvent> next();
  /// An event grew past kMaxEventBytes; the stream is of no use any more.
  bool overflowed() const { return pending_.size() + event_.data.size() > kMaxEventBytes; }

 private:
  std::optional<std::string_view> next_line();
  void take_line(std::string_view line);

  std::string pending_;
  std::size_t begin_ = 0;  ///< of what is not yet consumed in pending_
  SseEvent event_;
  bool has_data_ = false;
};

}  // namespace switchyard::client
