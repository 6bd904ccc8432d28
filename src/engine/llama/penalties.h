#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/request.h"

namespace switchyard::engine {

/// What repetition, frequency and presence penalties take from the logits of one request. The
/// repetition penalty falls on every token of the prompt and of the generated text (as vLLM's),
/// frequency and presence penalties on the generated text alone (as OpenAI's).
class Penalties {
 public:
  /// Allocates for the whole request, so that count() need not.
  explicit Penalties(const core::Request& request);

  void apply(std::span<float> logits) const;
  /// A token that was generated.
  void count(core::TokenId token);

 private:
  struct Seen {
    core::TokenId token = 0;
    std::int32_t generated = 0;  ///< 0: only in the prompt
  };

  bool on_;
  float repetition_;
  float frequency_;
  float presence_;
  std::vector<Seen> seen_;  ///< by token; empty unless on_
};

}  // namespace switchyard::engine
