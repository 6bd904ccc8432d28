#include "api/unsupported_fields.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

namespace switchyard::api {
namespace {

using nlohmann::json;

constexpr unsigned kChat = static_cast<unsigned>(Endpoint::kChat);
constexpr unsigned kCompletion = static_cast<unsigned>(Endpoint::kCompletion);
constexpr unsigned kBoth = kChat | kCompletion;

bool is_empty(const json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().empty();
  return (value.is_array() || value.is_object()) && value.empty();
}
bool is_off(const json& value) { return value.is_boolean() && !value.get<bool>(); }
bool is_one(const json& value) { return value.is_number() && value.get<double>() == 1.0; }
bool is_free_choice(const json& value) { return value == "none" || value == "auto"; }
bool is_text_format(const json& value) {
  return value.is_object() && value.contains("type") && value["type"] == "text";
}
bool is_text_only(const json& value) { return value == json::array({"text"}); }

struct UnsupportedField {
  const char* name;
  unsigned endpoints;
  bool (*neutral)(const json& value);
};

constexpr std::array kFields = {
    UnsupportedField{"response_format", kBoth, is_text_format},
    UnsupportedField{"tools", kChat, is_empty},
    UnsupportedField{"tool_choice", kChat, is_free_choice},
    UnsupportedField{"functions", kChat, is_empty},
    UnsupportedField{"function_call", kChat, is_free_choice},
    UnsupportedField{"modalities", kChat, is_text_only},
    UnsupportedField{"audio", kChat, is_empty},
    UnsupportedField{"prediction", kChat, is_empty},
    UnsupportedField{"web_search_options", kChat, is_empty},
    UnsupportedField{"suffix", kCompletion, is_empty},
    UnsupportedField{"echo", kCompletion, is_off},
    UnsupportedField{"best_of", kCompletion, is_one},
    // Output grammars by the names other servers give them.
    UnsupportedField{"grammar", kBoth, is_empty},
    UnsupportedField{"json_schema", kBoth, is_empty},
    UnsupportedField{"guided_json", kBoth, is_empty},
    UnsupportedField{"guided_regex", kBoth, is_empty},
    UnsupportedField{"guided_choice", kBoth, is_empty},
    UnsupportedField{"guided_grammar", kBoth, is_empty},
    UnsupportedField{"structured_outputs", kBoth, is_empty},
    // Ways to choose tokens or to stop that would silently be missing.
    UnsupportedField{"stop_token_ids", kBoth, is_empty},
    UnsupportedField{"bad_words", kBoth, is_empty},
    UnsupportedField{"use_beam_search", kBoth, is_off},
};

}  // namespace

Result<void> refuse_unsupported_fields(const json& body, Endpoint endpoint) {
  for (const UnsupportedField& field : kFields) {
    if ((field.endpoints & static_cast<unsigned>(endpoint)) == 0) continue;
    const auto value = body.find(field.name);
    if (value == body.end() || value->is_null() || field.neutral(*value)) continue;
    return Error{ErrorCode::kUnsupported,
                 fmt::format("this server does not support '{}' with this value", field.name),
                 field.name};
  }
  return {};
}

}  // namespace switchyard::api
