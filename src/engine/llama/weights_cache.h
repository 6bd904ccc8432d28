#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/llama/gguf_file.h"
#include "engine/llama/modes.h"

namespace switchyard::engine {

struct SourceModel {
  std::string path;
  GgufFile file;
};

enum class WeightsOrigin {
  kSource,   ///< the source itself has the type
  kCached,   ///< derived earlier
  kDerived,  ///< derived by this call
};

struct Weights {
  std::string path;
  GgufFile file;
  WeightsOrigin origin = WeightsOrigin::kSource;
};

/// How the caller follows and ends the work. Called on the calling thread.
struct DeriveControl {
  std::function<void(float)> progress = [](float) {};  ///< 0 … 1
  std::function<void()> waiting = [] {};               ///< another process derives the same file
  std::function<bool()> cancelled = [] { return false; };
  bool again = false;  ///< derive also what is in the cache
};

/// `preferred`, or else $XDG_CACHE_HOME/switchyard, or ~/.cache/switchyard. Error: kUsage if none
/// of the three is set.
Result<std::string> cache_folder(const std::string& preferred);

/// The weights of one source in other types, kept in a folder and named by the source's content:
/// FOLDER/<first 16 hex digits of its SHA-256>-<mode>.gguf. Not thread safe; processes may share
/// the folder.
class WeightsCache {
 public:
  /// `preferred_folder` as in cache_folder(), which is asked when a file is first looked for.
  WeightsCache(SourceModel source, std::string preferred_folder);

  const SourceModel& source() const { return source_; }

  /// SHA-256 of the source, 64 hex digits; reads the file once. Error: kIo, also if cancelled.
  Result<std::string> source_hash(const DeriveControl& control);

  /// The source itself if it has the mode's type, else the cached file, made by llama.cpp's
  /// quantizer if it is not there, cut, or of another type. The file appears only when it is
  /// complete; if another process is deriving it, waits for that. Blocks. Errors: kIo for a folder
  /// that cannot be written or has too little space (said before the work where possible), a source
  /// the quantizer refuses, and if cancelled.
  Result<Weights> weights_for(const Mode& mode, const DeriveControl& control);

 private:
  Result<std::string> path_of(const Mode& mode, const DeriveControl& control);
  std::optional<Weights> find(const std::string& path, const Mode& mode) const;
  Result<Weights> derive(const std::string& path, const Mode& mode, const DeriveControl& control);

  SourceModel source_;
  std::string preferred_folder_;
  std::optional<std::string> hash_;
};

}  // namespace switchyard::engine
