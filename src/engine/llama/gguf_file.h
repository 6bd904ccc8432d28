#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace switchyard::engine {

/// What the header of a GGUF file says, read without loading the weights.
struct GgufFile {
  std::uint64_t tensor_bytes = 0;
  std::uint64_t parameters = 0;
  std::int64_t file_type = -1;  ///< llama_ftype; −1 = not said
  std::int64_t training_context_tokens = 0;
  std::uint64_t kv_bytes_per_token = 0;  ///< F16 keys and values of all layers
  std::int64_t vocabulary_size = 0;
  std::int64_t embedding_size = 0;
};

/// Checks that `path` is a whole GGUF model file and reads its header. Error: kIo, one line naming
/// the path and why: missing, not GGUF, damaged header, cut, or one part of a split model.
Result<GgufFile> inspect_gguf(const std::string& path);

}  // namespace switchyard::engine
