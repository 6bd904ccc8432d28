#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/batch.h"

namespace switchyard::engine {

/// Tokens [first, first + count) of plan.streams[entry].
struct PassPart {
  std::size_t entry = 0;
  std::int32_t first = 0;
  std::int32_t count = 0;
};

/// One forward pass: consecutive stream ids with equal token counts, the only shape that llama.cpp
/// evaluates at once when each stream has its own KV memory (llama_batch_allocr::split_equal).
using Pass = std::vector<PassPart>;

/// The passes a plan is evaluated in, in order: first the entries of one token, by runs of
/// consecutive stream ids, then the longer entries whole, neighbours of equal length together.
///
/// Left to itself llama.cpp would take one token of each entry first and make the rests further
/// passes; a prompt chunk is kept whole because attention works in tiles of prompt tokens. Only a
/// longer entry that lies between two of one token gives its first token to the first pass, where
/// it closes the gap. Precondition: `plan.streams` is sorted by stream id.
std::vector<Pass> split_passes(const core::BatchPlan& plan);

}  // namespace switchyard::engine
