#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "service/service.h"

namespace switchyard::api {

/// `{"content":[{token, logprob, bytes, top_logprobs}…],"refusal":null}` of a chat choice. A token
/// that is not valid UTF-8 by itself is shown with U+FFFD; `bytes` has the truth.
void append_chat_logprobs(std::span<const service::TokenLogprobText> tokens, std::string& out);

/// `{"tokens":[…],"token_logprobs":[…],"top_logprobs":[{…}…],"text_offset":[…]}` of a completion
/// choice. A token that is not valid UTF-8 by itself is written `bytes:\xf0\x9f`, as the OpenAI API
/// does. `text_offset` counts characters from the start of the answer and is moved on.
void append_legacy_logprobs(std::span<const service::TokenLogprobText> tokens,
                            std::int64_t& text_offset, std::string& out);

}  // namespace switchyard::api
