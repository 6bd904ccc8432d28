#pragma once

#include <cstddef>

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
constexpr int kDefaultCompletionTokens = 16;  ///< as the OpenAI API

}  // namespace switchyard::api
