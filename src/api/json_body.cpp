#include "api/json_body.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace switchyard::api {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Error invalid(std::string message) { return {ErrorCode::kInvalidRequest, std::move(message), {}}; }

// Position of the quote that ends the string opened before `at`, or the end of the text.
std::size_t skip_string(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return at;
}

}  // namespace

Result<void> check_json_limits(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) {
    return invalid("the request body must be JSON in UTF-8 without a byte order mark");
  }
  if (!is_valid_utf8(text)) return invalid("the request body is not valid UTF-8");

  int depth = 0;
  std::size_t values = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        i = skip_string(text, i + 1);
        break;
      case '[':
      case '{':
        ++values;
        if (++depth > kMaxJsonDepth) {
          return invalid(
              fmt::format("the request body nests deeper than {} levels", kMaxJsonDepth));
        }
        break;
      case ']':
      case '}':
        --depth;
        break;
      case ',':
        ++values;
        break;
      default:
        break;
    }
  }
  if (values > kMaxJsonValues) {
    return invalid(fmt::format("the request body holds more than {} values", kMaxJsonValues));
  }
  return {};
}

Result<nlohmann::json> parse_json_body(std::string_view text) {
  if (auto limits = check_json_limits(text); !limits) return limits.error();
  try {
    auto body = nlohmann::json::parse(text);
    if (!body.is_object()) return invalid("the request body must be a JSON object");
    return body;
  } catch (const nlohmann::json::parse_error& e) {
    return invalid(fmt::format("the request body is not valid JSON (at byte {})", e.byte));
  } catch (const nlohmann::json::exception&) {
    return invalid("the request body is not valid JSON: a number is out of range");
  }
}

}  // namespace switchyard::api
