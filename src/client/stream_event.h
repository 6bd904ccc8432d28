#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "client/sse_parser.h"

namespace switchyard::client {

struct TokenUsage {
  std::int64_t prompt_tokens = 0;
  std::int64_t completion_tokens = 0;
  std::int64_t cached_tokens = 0;
};

/// What one event of a streamed chat or text completion says.
struct StreamEvent {
  enum class Kind {
    kChunk,
    kDone,     ///< "[DONE]"
    kError,    ///< an error object in place of a chunk
    kInvalid,  ///< not JSON, or no object
  };
  Kind kind = Kind::kChunk;
  std::int64_t text_characters = 0;  ///< code points of new text; 0 for role-only or empty deltas
  std::string finish_reason;
  std::optional<TokenUsage> usage;
  std::string error;  ///< the server's message, cut to 200 bytes and cleaned
};

StreamEvent read_stream_event(const SseEvent& event);

/// The message of an OpenAI error object in `body`, cut and cleaned; or what `body` begins with.
std::string error_message_of(const std::string& body);

/// Usage in the body of a non-streamed answer.
std::optional<TokenUsage> usage_of(const std::string& body);

/// The first model of a /v1/models answer; empty if there is none.
std::string first_model_of(const std::string& body);

}  // namespace switchyard::client
