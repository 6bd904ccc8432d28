#include "api/prompts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/limits.h"

namespace switchyard::api {
namespace {

using nlohmann::json;

Error wrong_prompt() {
  return {ErrorCode::kInvalidRequest,
          fmt::format("'prompt' must be a string, a list of token ids, or a list of 1 to {} of "
                      "either",
                      kMaxChoices),
          "prompt"};
}

}  // namespace

Result<std::vector<core::TokenId>> read_token_ids(const json& list, std::int32_t vocabulary_size,
                                                  const std::string& param) {
  const auto wrong = [&] {
    return Error{
        ErrorCode::kInvalidRequest,
        fmt::format("'{}' must be a list of token ids from 0 to {}", param, vocabulary_size - 1),
        param};
  };
  if (!list.is_array()) return wrong();
  std::vector<core::TokenId> tokens;
  tokens.reserve(list.size());
  for (const json& token : list) {
    if (!token.is_number_unsigned()) return wrong();
    const auto id = token.get<std::uint64_t>();
    if (id >= static_cast<std::uint64_t>(vocabulary_size)) return wrong();
    tokens.push_back(static_cast<core::TokenId>(id));
  }
  return tokens;
}

Result<std::vector<Prompt>> read_prompts(const json& body, std::int32_t vocabulary_size) {
  const auto value = body.find("prompt");
  if (value == body.end()) return wrong_prompt();
  std::vector<Prompt> prompts;
  if (value->is_string()) {
    prompts.emplace_back(value->get<std::string>());
    return prompts;
  }
  if (!value->is_array() || value->empty()) return wrong_prompt();
  if (value->front().is_number()) {
    auto tokens = read_token_ids(*value, vocabulary_size, "prompt");
    if (!tokens) return tokens.error();
    prompts.emplace_back(std::move(*tokens));
    return prompts;
  }
  if (value->size() > kMaxChoices) return wrong_prompt();
  for (const json& element : *value) {
    if (element.is_string()) {
      prompts.emplace_back(element.get<std::string>());
      continue;
    }
    if (!element.is_array()) return wrong_prompt();
    auto tokens = read_token_ids(element, vocabulary_size, "prompt");
    if (!tokens) return tokens.error();
    prompts.emplace_back(std::move(*tokens));
  }
  return prompts;
}

}  // namespace switchyard::api
