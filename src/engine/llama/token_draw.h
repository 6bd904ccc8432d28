#pragma once

#include <span>
#include <vector>

#include "core/request.h"
#include "engine/llama/shortlist.h"

namespace switchyard::engine {

/// Memory shared by the samplers of a lane, which run one after another.
struct CandidateBuffer {
  Shortlist shortlist;
  std::vector<float> weights;      ///< of one block
  std::vector<double> block_sums;  ///< of the weights
  std::vector<float> raw;          ///< the row before it is changed
};

/// The token at `uniform` (0 ≤ uniform < 1) on the distribution that top-k, top-p, min-p, then a
/// temperature above 0 make of a row. A row with nothing finite above −∞ gives its argmax.
core::TokenId draw_token(std::span<const float> logits, const core::SamplingParams& sampling,
                         double uniform, CandidateBuffer& buffer);

}  // namespace switchyard::engine
