#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/wire_fields.h"
#include "core/request.h"
#include "service/service.h"

namespace switchyard::api {

/// What is the same in the whole answer to one request.
struct ResponseShape {
  Endpoint endpoint = Endpoint::kChat;
  std::string id;
  std::string model;
  std::int64_t created = 0;  ///< Unix seconds
  bool logprobs = false;
  bool include_usage = false;  ///< of a stream
};

/// `"stop"` or `"length"` with quotes; `null` while running.
std::string_view finish_reason_json(core::FinishReason reason);

/// `{"prompt_tokens":…,"completion_tokens":…,"total_tokens":…,"prompt_tokens_details":…}`
void append_usage(const service::Usage& usage, std::string& out);

/// The part of every answer and event before `"choices"`, opening brace included:
/// `{"id":…,"object":…,"created":…,"model":…,`
std::string response_prefix(const ResponseShape& shape, std::string_view object);

}  // namespace switchyard::api
