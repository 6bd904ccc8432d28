#pragma once

#include <cstdint>

#include "core/batch.h"

namespace switchyard::engine {

/// How many forward passes llama.cpp makes of a plan when each stream has its own KV memory
/// (llama_batch_allocr::split_equal, sequential). One pass takes a run of consecutive stream ids
/// and as many tokens of each as the shortest of them still has; what is left makes further passes.
/// Precondition: `plan.streams` is sorted by stream id and fits one micro-batch.
std::int32_t count_passes(const core::BatchPlan& plan);

}  // namespace switchyard::engine
