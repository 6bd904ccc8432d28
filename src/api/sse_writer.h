#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/response_shape.h"
#include "base/error.h"
#include "service/service.h"

namespace switchyard::api {

/// A comment, sent as soon as a stream is admitted: it tells the client so, and a peer that is gone
/// answers it with a reset.
constexpr std::string_view kSseHello = ": ok\n\n";
constexpr std::string_view kSseDone = "data: [DONE]\n\n";

/// Formats the server-sent events of one streamed answer (WHATWG HTML, section 9.2). A chat choice
/// begins with an event that carries the role; its last delta carries finish_reason.
class SseWriter {
 public:
  SseWriter(ResponseShape shape, int choices);

  /// One event, preceded by the choice's role event if this is its first. Precondition: the delta
  /// does not stand for an error.
  void append_delta(const service::Delta& delta, std::string& out);
  /// The usage event, if the client asked for it, and the end marker.
  void append_end(const service::Usage& usage, std::string& out) const;
  /// Ends a stream that cannot go on; nothing may follow.
  static void append_error(const Error& error, std::string& out);

 private:
  struct Choice {
    bool begun = false;
    std::int64_t text_offset = 0;
  };
  void append_open(std::int64_t index, std::string& out) const;
  void append_close(core::FinishReason finish, std::string& out) const;
  void append_logprobs(const service::Delta& delta, std::string& out);

  ResponseShape shape_;
  std::string prefix_;
  std::vector<Choice> choices_;
};

}  // namespace switchyard::api
