#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace switchyard {

/// Well-formed UTF-8 as in Unicode 15, table 3-7: no overlong forms, surrogates, or values past
/// U+10FFFF. NUL is a character like any other.
bool is_valid_utf8(std::string_view text);

/// Length of the longest suffix of `text` that is a proper prefix of some well-formed character
/// (0–3): the bytes to hold back until more arrive.
std::size_t unfinished_utf8_suffix(std::string_view text);

/// Appends `text`, each ill-formed byte run (maximal subpart) replaced by U+FFFD.
void append_valid_utf8(std::string_view text, std::string& out);

}  // namespace switchyard
