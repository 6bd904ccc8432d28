#pragma once

#include <cstddef>
#include <cstdint>

namespace switchyard::api {

// Bounds on what one request may ask for; wire_fields.cpp shows them in error texts.
constexpr int kMaxChoices = 128;  ///< n × prompts
constexpr int kMaxMessages = 4096;
constexpr int kMaxStops = 4;
constexpr std::size_t kMaxStopBytes = 256;
constexpr int kMaxCacheSaltBytes = 256;
constexpr int kMaxLogitBiases = 1024;
constexpr int kMaxTopLogprobs = 20;
constexpr int kMaxLegacyLogprobs = 5;
/// Tokens of all choices × (1 + alternatives): an answer holds some 200 bytes for each.
constexpr std::int64_t kMaxLogprobTotal = 262'144;
constexpr int kDefaultCompletionTokens = 16;  ///< as the OpenAI API

}  // namespace switchyard::api
