#include "client/stream_event.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace switchyard::client {
namespace {

using Json = nlohmann::json;

Json parse(const std::string& text) {
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

/// The member `key` of `object`, or null.
const Json& member(const Json& object, const char* key) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

std::int64_t integer(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

std::int64_t code_points(const Json& text) {
  if (!text.is_string()) return 0;
  const auto& bytes = text.get_ref<const std::string&>();
  return std::count_if(bytes.begin(), bytes.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

std::optional<TokenUsage> usage_in(const Json& answer) {
  const Json& usage = member(answer, "usage");
  if (!usage.is_object()) return std::nullopt;
  return TokenUsage{integer(usage, "prompt_tokens"), integer(usage, "completion_tokens"),
                    integer(member(usage, "prompt_tokens_details"), "cached_tokens")};
}

/// One printable line of at most 200 bytes.
std::string cleaned(std::string_view text) {
  constexpr std::size_t kMaxBytes = 200;
  std::string valid;
  append_valid_utf8(text.substr(0, kMaxBytes), valid);
  std::replace_if(
      valid.begin(), valid.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }, ' ');
  return valid;
}

std::string message_in(const Json& error) {
  if (error.is_string()) return cleaned(error.get_ref<const std::string&>());
  const Json& message = member(error, "message");
  return message.is_string() ? cleaned(message.get_ref<const std::string&>()) : "no message";
}

/// Adds what a choice of a chat ("delta") or text ("text") completion holds.
void read_choice(const Json& choice, StreamEvent& event) {
  const Json& delta = member(choice, "delta");
  for (const char* key : {"content", "reasoning_content", "reasoning"}) {
    event.text_characters += code_points(member(delta, key));
  }
  event.text_characters += code_points(member(choice, "text"));
  const Json& reason = member(choice, "finish_reason");
  if (reason.is_string()) event.finish_reason = cleaned(reason.get_ref<const std::string&>());
}

}  // namespace

StreamEvent read_stream_event(const SseEvent& source) {
  StreamEvent event;
  if (source.data == "[DONE]") {
    event.kind = StreamEvent::Kind::kDone;
    return event;
  }
  const Json json = parse(source.data);
  const Json& error = member(json, "error");
  if (source.name == "error" || !error.is_null()) {
    event.kind = StreamEvent::Kind::kError;
    event.error = message_in(error.is_null() ? json : error);
    return event;
  }
  if (!json.is_object()) {
    event.kind = StreamEvent::Kind::kInvalid;
    event.error = "an event is not a JSON object";
    return event;
  }
  event.usage = usage_in(json);
  const Json& choices = member(json, "choices");
  if (choices.is_array()) {
    for (const Json& choice : choices) read_choice(choice, event);
  }
  return event;
}

std::string error_message_of(const std::string& body) {
  const Json error = member(parse(body), "error");
  return error.is_null() ? cleaned(body) : message_in(error);
}

std::optional<TokenUsage> usage_of(const std::string& body) { return usage_in(parse(body)); }

std::string first_model_of(const std::string& body) {
  const Json answer = parse(body);
  const Json& models = member(answer, "data");
  if (!models.is_array() || models.empty()) return "";
  const Json& id = member(models.front(), "id");
  return id.is_string() ? id.get<std::string>() : "";
}

}  // namespace switchyard::client
