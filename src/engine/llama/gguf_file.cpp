#include "engine/llama/gguf_file.h"

#include <fmt/format.h>
#include <gguf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <system_error>
#include <tuple>

#include "engine/llama/log_capture.h"

namespace switchyard::engine {
namespace {

namespace fs = std::filesystem;

struct FreeGguf {
  void operator()(gguf_context* gguf) const { gguf_free(gguf); }
};
using Gguf = std::unique_ptr<gguf_context, FreeGguf>;

std::optional<std::int64_t> integer_at(const void* data, gguf_type type, std::size_t index) {
  const auto read = [&](auto value) {
    std::memcpy(&value, static_cast<const char*>(data) + index * sizeof(value), sizeof(value));
    return static_cast<std::int64_t>(value);
  };
  switch (type) {
    case GGUF_TYPE_UINT16:
      return read(std::uint16_t{});
    case GGUF_TYPE_INT32:
      return read(std::int32_t{});
    case GGUF_TYPE_UINT32:
      return read(std::uint32_t{});
    case GGUF_TYPE_INT64:
      return read(std::int64_t{});
    case GGUF_TYPE_UINT64:
      return read(std::uint64_t{});
    default:
      return std::nullopt;
  }
}

std::int64_t integer(const gguf_context* gguf, const std::string& key, std::int64_t otherwise) {
  const std::int64_t id = gguf_find_key(gguf, key.c_str());
  if (id < 0) return otherwise;
  const gguf_type type = gguf_get_kv_type(gguf, id);
  if (type == GGUF_TYPE_STRING || type == GGUF_TYPE_ARRAY) return otherwise;
  return integer_at(gguf_get_val_data(gguf, id), type, 0).value_or(otherwise);
}

/// Sum over the layers of a value that is either one number for all or an array of them.
std::int64_t layer_sum(const gguf_context* gguf, const std::string& key, std::int64_t layers,
                       std::int64_t otherwise) {
  const std::int64_t id = gguf_find_key(gguf, key.c_str());
  if (id < 0 || gguf_get_kv_type(gguf, id) != GGUF_TYPE_ARRAY) {
    return layers * integer(gguf, key, otherwise);
  }
  const gguf_type type = gguf_get_arr_type(gguf, id);
  if (type == GGUF_TYPE_STRING || type == GGUF_TYPE_ARRAY) return layers * otherwise;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < gguf_get_arr_n(gguf, id); ++i) {
    sum += integer_at(gguf_get_arr_data(gguf, id), type, i).value_or(otherwise);
  }
  return sum;
}

std::string architecture(const gguf_context* gguf) {
  const std::int64_t id = gguf_find_key(gguf, "general.architecture");
  return id >= 0 && gguf_get_kv_type(gguf, id) == GGUF_TYPE_STRING ? gguf_get_val_str(gguf, id)
                                                                   : "";
}

TensorType& entry_of(std::vector<TensorType>& types, ggml_type type) {
  const std::string name = ggml_type_name(type);
  const auto known = std::find_if(types.begin(), types.end(),
                                  [&](const TensorType& entry) { return entry.name == name; });
  if (known != types.end()) return *known;
  return types.emplace_back(TensorType{.name = name, .quantized = ggml_is_quantized(type)});
}

void describe_tensors(const gguf_context* gguf, GgufFile& file) {
  for (std::int64_t i = 0; i < gguf_get_n_tensors(gguf); ++i) {
    file.tensor_bytes += gguf_get_tensor_size(gguf, i);
    const std::int64_t* extents = gguf_get_tensor_ne(gguf, i);
    std::uint64_t count = 1;
    for (int d = 0; d < GGML_MAX_DIMS; ++d) count *= static_cast<std::uint64_t>(extents[d]);
    file.parameters += count;
    TensorType& type = entry_of(file.tensor_types, gguf_get_tensor_type(gguf, i));
    type.tensors += 1;
    type.weights += count;
  }
  const auto order = [](const TensorType& type) {
    return std::tuple(type.name == "f32", -type.tensors, type.name);
  };
  std::sort(file.tensor_types.begin(), file.tensor_types.end(),
            [&](const TensorType& a, const TensorType& b) { return order(a) < order(b); });
}

GgufFile describe(const gguf_context* gguf) {
  GgufFile file;
  file.header_bytes = gguf_get_data_offset(gguf);
  describe_tensors(gguf, file);
  const std::string prefix = architecture(gguf) + ".";
  const std::int64_t layers = integer(gguf, prefix + "block_count", 0);
  const std::int64_t heads =
      std::max<std::int64_t>(1, integer(gguf, prefix + "attention.head_count", 1));
  file.embedding_size = integer(gguf, prefix + "embedding_length", 0);
  const std::int64_t head_size = file.embedding_size / heads;
  const std::int64_t kv_heads = layer_sum(gguf, prefix + "attention.head_count_kv", layers, heads);
  const std::int64_t key_and_value = integer(gguf, prefix + "attention.key_length", head_size) +
                                     integer(gguf, prefix + "attention.value_length", head_size);
  file.kv_bytes_per_token = static_cast<std::uint64_t>(kv_heads * key_and_value) * 2;
  file.file_type = integer(gguf, "general.file_type", -1);
  file.training_context_tokens = integer(gguf, prefix + "context_length", 0);
  const std::int64_t tokens = gguf_find_key(gguf, "tokenizer.ggml.tokens");
  if (tokens >= 0 && gguf_get_kv_type(gguf, tokens) == GGUF_TYPE_ARRAY) {
    file.vocabulary_size = static_cast<std::int64_t>(gguf_get_arr_n(gguf, tokens));
  }
  return file;
}

/// Where the last tensor ends, so that a file cut in its data is found without reading it.
std::uint64_t end_of_data(const gguf_context* gguf) {
  std::uint64_t end = gguf_get_data_offset(gguf);
  for (std::int64_t i = 0; i < gguf_get_n_tensors(gguf); ++i) {
    end =
        std::max<std::uint64_t>(end, gguf_get_data_offset(gguf) + gguf_get_tensor_offset(gguf, i) +
                                         gguf_get_tensor_size(gguf, i));
  }
  return end;
}

std::optional<std::string> fault_before_parsing(const std::string& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return "no such file";
  if (!fs::is_regular_file(status)) return "is not a regular file";
  std::ifstream file(path, std::ios::binary);
  if (!file) return "cannot be read";
  std::array<char, 4> magic{};
  if (!file.read(magic.data(), magic.size()) || std::memcmp(magic.data(), "GGUF", 4) != 0) {
    return "is not a GGUF file";
  }
  return std::nullopt;
}

}  // namespace

Result<GgufFile> inspect_gguf(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::kIo, fmt::format("model {}: {}", path, why), "model"};
  };
  capture_llama_log();
  if (const auto fault = fault_before_parsing(path)) return refuse(*fault);
  const Gguf gguf(gguf_init_from_file(path.c_str(), {.no_alloc = true, .ctx = nullptr}));
  if (!gguf) return refuse("its GGUF header is damaged or cut");
  if (integer(gguf.get(), "split.count", 1) > 1) {
    return refuse("is one part of a split model; merge the parts with llama-gguf-split --merge");
  }
  if (gguf_get_n_tensors(gguf.get()) == 0 || architecture(gguf.get()).empty()) {
    return refuse("holds no model weights");
  }
  std::error_code code;
  const std::uint64_t size = fs::file_size(path, code);
  if (const std::uint64_t end = end_of_data(gguf.get()); code || size < end) {
    return refuse(fmt::format("is cut: {} bytes of {}", size, end));
  }
  GgufFile file = describe(gguf.get());
  file.file_bytes = size;
  return file;
}

std::string tensor_mix(const GgufFile& file) {
  std::string text;
  for (const TensorType& type : file.tensor_types) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " + ", type.tensors, type.name);
  }
  return text;
}

double bits_per_weight(const GgufFile& file) {
  return static_cast<double>(file.tensor_bytes) * 8 / static_cast<double>(file.parameters);
}

double weight_share(const GgufFile& file, std::string_view type_name) {
  for (const TensorType& type : file.tensor_types) {
    if (type.name != type_name) continue;
    return static_cast<double>(type.weights) / static_cast<double>(file.parameters);
  }
  return 0;
}

const TensorType& main_type(const GgufFile& file) {
  return *std::max_element(
      file.tensor_types.begin(), file.tensor_types.end(),
      [](const TensorType& a, const TensorType& b) { return a.weights < b.weights; });
}

}  // namespace switchyard::engine
