#include "engine/llama/weights_cache.h"

#include <fmt/format.h>
#include <llama.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/atomic_file.h"
#include "base/sha256.h"
#include "engine/llama/log_capture.h"

namespace switchyard::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kHeaderBytes = 16 << 20;  // vocabulary and metadata, generously

std::uint64_t estimated_bytes(const GgufFile& file, const Mode& mode) {
  return static_cast<std::uint64_t>(static_cast<double>(file.parameters) * mode.bits_per_weight /
                                    8) +
         kHeaderBytes;
}

/// The quantizer's only sign of life is a line "[ 12/ 272] blk.…" per tensor.
void report_quantizer_line(std::string_view line, const std::function<void(float)>& progress) {
  int done = 0;
  int total = 0;
  if (line.starts_with('[') &&
      std::sscanf(std::string(line).c_str(), "[%d/%d]", &done, &total) == 2 && total > 0) {
    progress(static_cast<float>(done) / static_cast<float>(total));
  }
}

Result<void> check_space(const std::string& folder, std::uint64_t needed) {
  std::error_code code;
  const fs::space_info space = fs::space(folder, code);
  if (!code && space.available < needed) {
    return Error{ErrorCode::kIo,
                 fmt::format("cache {}: needs {} MB for derived weights, {} MB are free", folder,
                             needed / 1'000'000, space.available / 1'000'000),
                 "cache-dir"};
  }
  return {};
}

Result<void> quantize(const SourceModel& source, const Mode& mode, const std::string& target,
                      const std::function<void(float)>& progress) {
  llama_model_quantize_params params = llama_model_quantize_default_params();
  params.ftype = static_cast<llama_ftype>(mode.file_type);
  params.allow_requantize = true;
  clear_llama_error();
  const LogListener listener([&](std::string_view line) { report_quantizer_line(line, progress); });
  if (llama_model_quantize(source.path.c_str(), target.c_str(), &params) != 0) {
    return Error{ErrorCode::kIo,
                 fmt::format("deriving {} weights from {} failed: {}", mode.name, source.path,
                             first_llama_error()),
                 "model"};
  }
  return {};
}

Result<void> derive(const SourceModel& source, const Mode& mode, const std::string& target,
                    const std::function<void(float)>& progress) {
  auto file = AtomicFile::create(target);
  if (!file) return file.error();
  const std::string folder = fs::path(target).parent_path().string();
  if (auto enough = check_space(folder, estimated_bytes(source.file, mode)); !enough) {
    return enough;
  }
  if (auto made = quantize(source, mode, file->temporary_path(), progress); !made) return made;
  if (auto whole = inspect_gguf(file->temporary_path()); !whole) return whole.error();
  return file->commit();
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

Result<std::string> weights_for_mode(const SourceModel& source, const Mode& mode,
                                     const std::string& preferred_folder,
                                     const std::function<void(float)>& progress) {
  if (source.file.file_type == mode.file_type) return source.path;
  const auto folder = cache_folder(preferred_folder);
  if (!folder) return folder.error();
  const auto hash = sha256_of_file(source.path);
  if (!hash) return hash.error();
  const std::string path =
      (fs::path(*folder) / fmt::format("{}-{}.gguf", hash->substr(0, 16), mode.name)).string();
  if (inspect_gguf(path)) return path;
  if (auto made = derive(source, mode, path, progress); !made) return made.error();
  return path;
}

}  // namespace switchyard::engine
