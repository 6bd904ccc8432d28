#pragma once

#include <cstdint>
#include <string>

namespace switchyard::core {

/// One set of weights with its KV memory, as the engine reports it. Constant after loading.
struct LaneInfo {
  std::string mode;            ///< weights name: "bf16", "q8_0", …; first lane = reference
  std::int32_t n_streams = 0;  ///< sequences that can be in memory at once
  std::int32_t stream_capacity_tokens = 0;  ///< most tokens of one sequence, prompt + output
  /// Tokens all sequences of the lane may hold together. With one fixed KV stream per sequence
  /// this is n_streams × stream_capacity_tokens; a pooled (simulated) lane may have less.
  std::int64_t pool_capacity_tokens = 0;
  /// Attention takes prompt tokens in tiles of this many: a chunk below it is slow for its size.
  std::int32_t prefill_tile_tokens = 1;
  std::uint64_t weights_bytes = 0;
  std::uint64_t kv_bytes = 0;
  std::uint64_t stored_bytes_per_token = 0;  ///< of a prefix in host memory
};

}  // namespace switchyard::core
