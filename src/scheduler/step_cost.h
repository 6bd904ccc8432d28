#pragma once

#include <cstdint>

namespace switchyard::scheduler {

/// What a step costs, in units of one prompt token at the start of a prompt. The defaults are about
/// those of a 135M model in BF16 on two CPU cores: benchmarks/pass_cost gives 6, 1.3, 1/540 and
/// 1/1,450 there. Only their ratios matter.
struct StepCost {
  double pass = 6;                      ///< a forward pass by itself: the weights are read
  double decode = 1.3;                  ///< a decoding stream
  double decode_context = 1.0 / 600;    ///< and each token before the decoded one
  double prefill_context = 1.0 / 2200;  ///< each token before a prompt token

  double decode_pass(std::int32_t streams, std::int64_t context_tokens) const {
    return streams == 0
               ? 0
               : pass + decode * streams + decode_context * static_cast<double>(context_tokens);
  }
  /// The longest chunk behind `context` tokens that costs at most `limit`; < 0: none at all.
  std::int32_t affordable_chunk(double limit, std::int32_t context) const {
    return static_cast<std::int32_t>((limit - pass) / (1 + prefill_context * context));
  }
  double chunk_pass(std::int32_t tokens, std::int32_t context) const {
    return tokens == 0 ? 0 : pass + tokens * (1 + prefill_context * context);
  }
};

}  // namespace switchyard::scheduler
