#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "core/lane.h"
#include "service/text_bound.h"

namespace switchyard::service {

/// What a lane takes as a prompt: one token less than its context. Errors are
/// kContextLengthExceeded for `prompt`, with both counts.
class PromptLimit {
 public:
  /// `bound` must outlive it.
  PromptLimit(const core::LaneInfo& lane, const TextBound& bound);

  /// Tokens of prompt and answer together.
  std::int64_t context_tokens() const { return context_tokens_; }

  /// Refuses a text that cannot fit before time is spent on tokenizing it.
  Result<void> check_text(std::string_view text, bool parse_special) const;

  Result<void> check_tokens(std::size_t prompt_tokens) const;

 private:
  std::int64_t context_tokens_;
  const TextBound& bound_;
};

}  // namespace switchyard::service
