#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/batch.h"

namespace switchyard::engine {

/// One request's answer, token by token: a function of the prompt, of the seed if temperature > 0,
/// and of the index of the token. Not thread safe.
class SimText {
 public:
  SimText() = default;
  SimText(std::span<const core::TokenId> prompt, const core::SamplingParams& sampling);

  /// The next token, with the log-probabilities `sampling` asks for. After the end-of-generation
  /// token there is none: precondition !ended().
  core::SampledToken next();
  bool ended() const { return ended_; }
  std::int32_t generated() const { return generated_; }

 private:
  core::TokenId next_token();
  void add_logprobs(core::SampledToken& token) const;

  std::uint64_t hash_ = 0;
  bool unicode_ = false;
  bool ended_ = false;
  std::int32_t end_at_ = 0;  ///< index of the end token; < 0 = never
  std::int32_t generated_ = 0;
  std::int32_t top_logprobs_ = -1;
  std::uint64_t next_word_ = 0;
  std::string_view rest_of_word_;
};

}  // namespace switchyard::engine
