#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"

namespace switchyard::engine {

struct LlamaOptions {
  std::string model_path;
  /// One lane each; the first is the reference. "auto": the full-precision type this machine
  /// computes faster (BF16 where the CPU has instructions for it, else F16).
  std::vector<std::string> modes = {"auto"};
  std::int32_t max_sequences = 16;  ///< streams per lane
  /// Most tokens of one sequence. 0 = min(the model's training context, 2048): at 16 streams of a
  /// small model that is KV memory for a chat in each, and KV memory is touched when it is made.
  std::int32_t context_tokens = 0;
  std::int32_t max_batch_tokens = 512;   ///< most tokens of one plan
  std::int32_t threads = 0;              ///< 0 = physical cores
  std::uint64_t prefix_store_bytes = 0;  ///< host memory that plans may store prefixes in
  /// Where derived weights are kept; empty = $XDG_CACHE_HOME/switchyard or ~/.cache/switchyard.
  std::string cache_dir;
  bool flash_attention = true;
  /// How long idle workers spin before they sleep, 0 (not at all) … 100.
  std::int32_t poll = 0;
};

/// Loads the model once per mode, deriving the weights that are not in the cache yet. Blocks;
/// `progress` is called on the calling thread with 0 … 1. Anonymous memory is KV + repacked weights
/// + work buffers; the weights files are mapped.
///
/// Errors, each one line: kUsage for an unknown or repeated mode and for options out of range; kIo
/// for a model file that is missing, cut, or not GGUF, for a cache that cannot be written, and for
/// a context that does not fit in memory (checked before anything is allocated).
Result<std::unique_ptr<Engine>> load_llama_engine(const LlamaOptions& options,
                                                  const std::function<void(float)>& progress);

}  // namespace switchyard::engine
