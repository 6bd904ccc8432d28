#include "api/sse_writer.h"

#include <utility>

#include "api/error_mapping.h"
#include "api/json_writer.h"
#include "api/logprobs_json.h"

namespace switchyard::api {

SseWriter::SseWriter(ResponseShape shape, int choices)
    : shape_(std::move(shape)), choices_(static_cast<std::size_t>(choices)) {
  const bool chat = shape_.endpoint == Endpoint::kChat;
  prefix_ = "data: " + response_prefix(shape_, chat ? "chat.completion.chunk" : "text_completion") +
            R"("choices":[)";
}

void SseWriter::append_open(std::int64_t index, std::string& out) const {
  out += prefix_;
  out += R"({"index":)";
  append_json_integer(index, out);
}

void SseWriter::append_close(core::FinishReason finish, std::string& out) const {
  out += R"(,"finish_reason":)";
  out += finish_reason_json(finish);
  out += shape_.include_usage ? "}],\"usage\":null}\n\n" : "}]}\n\n";
}

void SseWriter::append_logprobs(const service::Delta& delta, std::string& out) {
  out += R"(,"logprobs":)";
  if (!shape_.logprobs) {
    out += "null";
  } else if (shape_.endpoint == Endpoint::kChat) {
    append_chat_logprobs(delta.logprobs, out);
  } else {
    Choice& choice = choices_.at(static_cast<std::size_t>(delta.choice));
    append_legacy_logprobs(delta.logprobs, choice.text_offset, out);
  }
}

void SseWriter::append_delta(const service::Delta& delta, std::string& out) {
  const bool chat = shape_.endpoint == Endpoint::kChat;
  Choice& choice = choices_.at(static_cast<std::size_t>(delta.choice));
  if (chat && !choice.begun) {
    append_open(delta.choice, out);
    out += R"(,"delta":{"role":"assistant","content":""},"logprobs":null)";
    append_close(core::FinishReason::kNone, out);
  }
  choice.begun = true;

  append_open(delta.choice, out);
  if (!chat) {
    out += R"(,"text":)";
    append_json_string(delta.text, out);
  } else if (delta.text.empty()) {
    out += R"(,"delta":{})";
  } else {
    out += R"(,"delta":{"content":)";
    append_json_string(delta.text, out);
    out += '}';
  }
  append_logprobs(delta, out);
  append_close(delta.finish, out);
}

void SseWriter::append_end(const service::Usage& usage, std::string& out) const {
  if (shape_.include_usage) {
    out += prefix_;
    out += R"(],"usage":)";
    append_usage(usage, out);
    out += "}\n\n";
  }
  out += kSseDone;
}

void SseWriter::append_error(const Error& error, std::string& out) {
  out += "data: ";
  out += error_body(error);
  out += "\n\n";
}

}  // namespace switchyard::api
