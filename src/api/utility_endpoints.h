#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "service/service.h"

namespace switchyard::api {

// Bodies of the endpoints that answer at once. Precondition of all: the service is not loading.

std::string models_body(const service::Service& service);
Result<std::string> model_body(std::string_view id, const service::Service& service);

/// `{"content"|"prompt": text, "add_special": false, "parse_special": true}` → `{"tokens":[…]}`.
/// vLLM's names `prompt`, `add_special_tokens`, `count` and `max_model_len` are served too.
Result<std::string> tokenize_body(std::string_view request, const service::Service& service);

/// `{"tokens":[…]}` → `{"content": text}`; ill-formed bytes become U+FFFD.
Result<std::string> detokenize_body(std::string_view request, const service::Service& service);

}  // namespace switchyard::api
