#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace switchyard::api {

// Answers are appended to one string by hand: a stream's events are the hot path, and their shape
// is fixed.

/// Appends `text` as a JSON string, quotes included. Precondition: `text` is valid UTF-8.
void append_json_string(std::string_view text, std::string& out);

void append_json_integer(std::int64_t value, std::string& out);

/// Log-probabilities: JSON has no infinity, −9999 stands for "impossible" as in the OpenAI API.
void append_json_logprob(float value, std::string& out);

}  // namespace switchyard::api
