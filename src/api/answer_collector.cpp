#include "api/answer_collector.h"

#include <iterator>
#include <utility>

#include "api/json_writer.h"
#include "api/logprobs_json.h"

namespace switchyard::api {
namespace {

void append_choice(const ResponseShape& shape, std::size_t index, const service::Delta& choice,
                   std::string& out) {
  const bool chat = shape.endpoint == Endpoint::kChat;
  out += R"({"index":)";
  append_json_integer(static_cast<std::int64_t>(index), out);
  out += chat ? R"(,"message":{"role":"assistant","content":)" : R"(,"text":)";
  append_json_string(choice.text, out);
  if (chat) out += R"(,"refusal":null})";
  out += R"(,"logprobs":)";
  if (!shape.logprobs) {
    out += "null";
  } else if (chat) {
    append_chat_logprobs(choice.logprobs, out);
  } else {
    std::int64_t text_offset = 0;
    append_legacy_logprobs(choice.logprobs, text_offset, out);
  }
  out += R"(,"finish_reason":)";
  out += finish_reason_json(choice.finish);
  out += '}';
}

}  // namespace

std::optional<Error> error_of(const service::Delta& delta) {
  if (delta.finish == core::FinishReason::kError) {
    return delta.error.value_or(Error{ErrorCode::kEngineFailure, "the engine failed", {}});
  }
  if (delta.finish == core::FinishReason::kCancelled) {
    return Error{ErrorCode::kShuttingDown, "the server is stopping", {}};
  }
  return std::nullopt;
}

void AnswerCollector::add(service::Delta delta) {
  if (!error_) error_ = error_of(delta);
  service::Delta& choice = choices_.at(static_cast<std::size_t>(delta.choice));
  choice.finish = delta.finish;
  if (choice.text.empty()) {
    choice.text = std::move(delta.text);
  } else {
    choice.text += delta.text;
  }
  std::move(delta.logprobs.begin(), delta.logprobs.end(), std::back_inserter(choice.logprobs));
}

std::string AnswerCollector::body(const ResponseShape& shape, const service::Usage& usage) const {
  std::string out = response_prefix(
      shape, shape.endpoint == Endpoint::kChat ? "chat.completion" : "text_completion");
  out += R"("choices":[)";
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    if (i > 0) out += ',';
    append_choice(shape, i, choices_[i], out);
  }
  out += R"(],"usage":)";
  append_usage(usage, out);
  out += '}';
  return out;
}

}  // namespace switchyard::api
