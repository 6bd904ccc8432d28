#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "base/result.h"

namespace switchyard::api {

constexpr int kMaxJsonDepth = 64;
/// Bounds what a body can make the parser allocate: about 100 bytes a value at worst.
constexpr std::size_t kMaxJsonValues = 262'144;

/// One linear pass without recursion or allocation, before any parser sees the text: valid UTF-8
/// without a byte order mark, nesting ≤ kMaxJsonDepth, at most kMaxJsonValues values.
Result<void> check_json_limits(std::string_view text);

/// The request body as a JSON object, its limits checked. Of a repeated key the last value counts.
/// Errors are kInvalidRequest and name the place in bytes, never the content.
Result<nlohmann::json> parse_json_body(std::string_view text);

}  // namespace switchyard::api
