#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "core/types.h"

namespace switchyard::api {

using Prompt = std::variant<std::string, std::vector<core::TokenId>>;

/// `prompt` of a completion: a string, a list of token ids, or a list of strings or of token id
/// lists (one answer set per element, at most kMaxChoices).
Result<std::vector<Prompt>> read_prompts(const nlohmann::json& body, std::int32_t vocabulary_size);

/// A list of token ids, each 0 … vocabulary_size − 1. `param` is the field in errors.
Result<std::vector<core::TokenId>> read_token_ids(const nlohmann::json& list,
                                                  std::int32_t vocabulary_size,
                                                  const std::string& param);

}  // namespace switchyard::api
