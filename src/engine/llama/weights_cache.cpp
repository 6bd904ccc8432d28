#include "engine/llama/weights_cache.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/sha256.h"
#include "engine/llama/quantizer.h"
#include "engine/llama/weights_cache_lock.h"

namespace switchyard::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSlackBytes = 64 << 10;  // padding between tensors

Result<void> check_space(const std::string& folder, const Mode& mode, std::uint64_t needed) {
  std::error_code code;
  const fs::space_info space = fs::space(folder, code);
  if (code || space.available >= needed) return {};
  return Error{ErrorCode::kIo,
               fmt::format("cache {}: {} weights need {} MB, {} MB are free", folder, mode.name,
                           (needed + 999'999) / 1'000'000, space.available / 1'000'000),
               "cache-dir"};
}

}  // namespace

Result<std::string> cache_folder(const std::string& preferred) {
  if (!preferred.empty()) return preferred;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return (fs::path(cache) / "switchyard").string();
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return (fs::path(home) / ".cache/switchyard").string();
  return Error{ErrorCode::kUsage, "no cache folder: neither HOME nor XDG_CACHE_HOME is set",
               "cache-dir"};
}

WeightsCache::WeightsCache(SourceModel source, std::string preferred_folder)
    : source_(std::move(source)), preferred_folder_(std::move(preferred_folder)) {}

Result<std::string> WeightsCache::source_hash(const DeriveControl& control) {
  if (hash_) return *hash_;
  std::error_code code;
  const auto size = static_cast<float>(fs::file_size(source_.path, code));
  auto hash = sha256_of_file(source_.path, [&](std::uint64_t bytes) {
    control.progress(static_cast<float>(bytes) / size);
    return !control.cancelled();
  });
  if (hash) hash_ = *hash;
  return hash;
}

Result<Weights> WeightsCache::weights_for(const Mode& mode, const DeriveControl& control) {
  if (source_.file.file_type == mode.file_type) {
    return Weights{source_.path, source_.file, WeightsOrigin::kSource};
  }
  const auto path = path_of(mode, control);
  if (!path) return path.error();
  if (!control.again) {
    if (auto cached = find(*path, mode)) return *std::move(cached);
  }
  return derive(*path, mode, control);
}

Result<std::string> WeightsCache::path_of(const Mode& mode, const DeriveControl& control) {
  const auto folder = cache_folder(preferred_folder_);
  if (!folder) return folder.error();
  const auto hash = source_hash({.cancelled = control.cancelled});
  if (!hash) return hash.error();
  return (fs::path(*folder) / fmt::format("{}-{}.gguf", hash->substr(0, 16), mode.name)).string();
}

std::optional<Weights> WeightsCache::find(const std::string& path, const Mode& mode) const {
  auto file = inspect_gguf(path);
  const bool ours =
      file && file->file_type == mode.file_type && file->parameters == source_.file.parameters;
  if (!ours) return std::nullopt;
  return Weights{path, *std::move(file), WeightsOrigin::kCached};
}

Result<Weights> WeightsCache::derive(const std::string& path, const Mode& mode,
                                     const DeriveControl& control) {
  const auto tensors = quantized_tensor_bytes(source_.path, mode);
  if (!tensors) return tensors.error();
  const std::string folder = fs::path(path).parent_path().string();
  std::error_code ignored;  // the lock below says why the folder cannot be used
  fs::create_directories(folder, ignored);
  const auto lock = WeightsCacheLock::acquire(path, control.waiting, control.cancelled);
  if (!lock) return lock.error();
  if (!control.again) {  // another process may have made it meanwhile
    if (auto made = find(path, mode)) return *std::move(made);
  }
  auto target = AtomicFile::create(path);
  if (!target) return target.error();
  const std::uint64_t needed = *tensors + source_.file.header_bytes + kSlackBytes;
  if (auto enough = check_space(folder, mode, needed); !enough) return enough.error();
  auto file = quantize({.source = source_.path,
                        .target = target->temporary_path(),
                        .file_bytes = needed,
                        .progress = control.progress,
                        .cancelled = control.cancelled},
                       mode);
  if (!file) return file.error();
  if (auto whole = target->commit(); !whole) return whole.error();
  return Weights{path, *std::move(file), WeightsOrigin::kDerived};
}

}  // namespace switchyard::engine
