#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace switchyard::router {

/// What a request asks for, as far as it decides which modes keep its quality.
enum class RequestClass : std::uint8_t {
  kChat,
  kMultipleChoice,
  kArithmetic,
  kCode,
  kStructured,  ///< an answer of a given shape: JSON, CSV, a schema
  kTools,       ///< functions are offered
};
inline constexpr std::size_t kRequestClasses = 6;
inline constexpr std::array<std::string_view, kRequestClasses> kRequestClassNames = {
    "chat", "multiple_choice", "arithmetic", "code", "structured", "tools"};

inline std::string_view class_name(RequestClass request_class) {
  return kRequestClassNames[static_cast<std::size_t>(request_class)];
}

/// What the request says outside its text.
struct RequestHints {
  bool tools_offered = false;
  bool schema_given = false;  ///< a JSON schema, a grammar, or response_format json_object
};

struct TextTraits {
  RequestClass request_class = RequestClass::kChat;
  /// The answer will repeat much of the prompt: an instruction to edit, fix or extract, near the
  /// start or the end of a text long enough to be worked on.
  bool asks_to_copy = false;
};

/// Reads the user's text by word rules: one pass, no allocation, about 2 us for 1,000 characters.
/// Any bytes are allowed. Of a text over 16 KiB only the first and last 8 KiB are read.
TextTraits read_text(std::string_view text, const RequestHints& hints = {});

}  // namespace switchyard::router
