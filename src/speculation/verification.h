#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/batch.h"
#include "core/types.h"

namespace switchyard::speculation {

/// Emits the tokens of one verification and returns how many draft tokens were accepted.
///
/// `sample(row)` chooses, with the sampler's state as plain decoding would have it, the token that
/// follows row 0, the last emitted token, or row i, the draft token i − 1. Rows are asked for in
/// order, each once, and only while all draft tokens before it were chosen: so the sampler sees the
/// calls of plain decoding, and the emitted tokens are those of plain decoding with the same seed.
///
/// Under sampling this is the rejection rule for a draft that is certain (Leviathan et al. 2023,
/// algorithm 1; Chen et al. 2023): a draw from p is the draft token x with probability p(x), else
/// a draw from p without x, renormalised. So the distribution is kept as well.
///
/// Appends 1 to draft.size() + 1 tokens; the last may be any, those before it are the draft's.
template <typename SampleRow>
std::int32_t verify(std::span<const core::TokenId> draft, SampleRow&& sample,
                    std::vector<core::SampledToken>& emitted) {
  const auto n_draft = static_cast<std::int32_t>(draft.size());
  for (std::int32_t row = 0;; ++row) {
    emitted.push_back(sample(row));
    const core::SampledToken& token = emitted.back();
    const bool accepted = row < n_draft && token.token == draft[static_cast<std::size_t>(row)];
    if (!accepted) return row;
    if (token.end_of_generation) return row + 1;
  }
}

}  // namespace switchyard::speculation
