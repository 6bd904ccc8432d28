#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace switchyard::engine {

/// How much of a file has one tensor type.
struct TensorType {
  std::string name;  ///< as llama.cpp prints it: "q4_K", "f32"
  bool quantized = false;
  std::int64_t tensors = 0;
  std::uint64_t weights = 0;
};

/// What the header of a GGUF file says, read without loading the weights.
struct GgufFile {
  std::uint64_t file_bytes = 0;
  std::uint64_t header_bytes = 0;  ///< vocabulary and metadata, before the first tensor
  std::uint64_t tensor_bytes = 0;
  std::uint64_t parameters = 0;
  std::int64_t file_type = -1;  ///< llama_ftype; −1 = not said
  std::int64_t training_context_tokens = 0;
  std::uint64_t kv_bytes_per_token = 0;  ///< F16 keys and values of all layers
  std::int64_t vocabulary_size = 0;
  std::int64_t embedding_size = 0;
  std::vector<TensorType> tensor_types;  ///< most tensors first, f32 (norms and biases) last
};

/// Checks that `path` is a whole GGUF model file and reads its header. Error: kIo, one line naming
/// the path and why: missing, not GGUF, damaged header, cut, or one part of a split model.
Result<GgufFile> inspect_gguf(const std::string& path);

/// "166 q5_0 + 16 q4_K + 61 f32": tensors by type.
std::string tensor_mix(const GgufFile& file);

/// Bits that a weight takes on average, over all tensors.
double bits_per_weight(const GgufFile& file);

/// Share of the weights that are in tensors of this type, 0 … 1.
double weight_share(const GgufFile& file, std::string_view type_name);

/// The type that holds most of the weights.
const TensorType& main_type(const GgufFile& file);

}  // namespace switchyard::engine
