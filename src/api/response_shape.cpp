#include "api/response_shape.h"

#include "api/json_writer.h"

namespace switchyard::api {

std::string_view finish_reason_json(core::FinishReason reason) {
  switch (reason) {
    case core::FinishReason::kStop:
      return "\"stop\"";
    case core::FinishReason::kLength:
      return "\"length\"";
    case core::FinishReason::kNone:
    case core::FinishReason::kCancelled:
    case core::FinishReason::kError:
      break;
  }
  return "null";
}

void append_usage(const service::Usage& usage, std::string& out) {
  out += R"({"prompt_tokens":)";
  append_json_integer(usage.prompt_tokens, out);
  out += R"(,"completion_tokens":)";
  append_json_integer(usage.completion_tokens, out);
  out += R"(,"total_tokens":)";
  append_json_integer(usage.prompt_tokens + usage.completion_tokens, out);
  out += R"(,"prompt_tokens_details":{"cached_tokens":)";
  append_json_integer(usage.cached_tokens, out);
  out += "}}";
}

std::string response_prefix(const ResponseShape& shape, std::string_view object) {
  std::string out = R"({"id":)";
  append_json_string(shape.id, out);
  out += R"(,"object":")";
  out += object;
  out += R"(","created":)";
  append_json_integer(shape.created, out);
  out += R"(,"model":)";
  append_json_string(shape.model, out);
  out += ',';
  return out;
}

}  // namespace switchyard::api
