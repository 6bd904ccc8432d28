#include "service/prompt_limit.h"

#include <fmt/format.h>

#include <algorithm>

namespace switchyard::service {
namespace {

Error context_error(std::int64_t limit, std::string_view has, std::size_t prompt_tokens) {
  return {ErrorCode::kContextLengthExceeded,
          fmt::format("the model's context holds {} tokens, prompt and answer together; the prompt "
                      "{} {} tokens and leaves no room for an answer",
                      limit, has, prompt_tokens),
          "prompt"};
}

}  // namespace

PromptLimit::PromptLimit(const core::LaneInfo& lane, const TextBound& bound)
    : context_tokens_(
          std::min<std::int64_t>(lane.stream_capacity_tokens, lane.pool_capacity_tokens)),
      bound_(bound) {}

Result<void> PromptLimit::check_text(std::string_view text, bool parse_special) const {
  const std::size_t least = bound_.least_tokens(text, parse_special);
  if (static_cast<std::int64_t>(least) < context_tokens_) return {};
  return context_error(context_tokens_, "has at least", least);
}

Result<void> PromptLimit::check_tokens(std::size_t prompt_tokens) const {
  if (static_cast<std::int64_t>(prompt_tokens) < context_tokens_) return {};
  return context_error(context_tokens_, "has", prompt_tokens);
}

}  // namespace switchyard::service
