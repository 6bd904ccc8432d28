#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "config/option.h"

namespace switchyard::config {

/// The option's value from text, type and range checked. The error is kUsage, its message starts
/// with `place` ("command line", "environment SWITCHYARD_PORT", "FILE") and names option, limit and
/// value.
Result<Value> parse_value(const OptionSpec& option, std::string_view text, std::string_view place);

/// The error every bad value ends in: "PLACE: NAME: expected WHAT, got 'VALUE'".
Error bad_value(const OptionSpec& option, std::string_view expected, std::string_view value,
                std::string_view place);

/// As a TOML value; numbers as they would be typed.
std::string to_toml(const Value& value);

/// "an integer from 0 to 65535", "one of debug, info, warn", "true or false", …
std::string expected_text(const OptionSpec& option);

/// `text` fit for one line of a terminal: at most 80 bytes, valid UTF-8, no control characters.
std::string printable(std::string_view text);

}  // namespace switchyard::config
