#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "engine/llama/gguf_file.h"
#include "engine/llama/modes.h"

namespace switchyard::engine {

struct SourceModel {
  std::string path;
  GgufFile file;
};

/// `preferred`, or else $XDG_CACHE_HOME/switchyard, or ~/.cache/switchyard. Error: kUsage if none
/// of the three is set.
Result<std::string> cache_folder(const std::string& preferred);

/// The path of the source's weights in `mode`: the source itself if it has that type, else
/// cache_folder(preferred_folder)/<first 16 hex digits of its SHA-256>-<mode>.gguf, made by
/// llama.cpp's quantizer if it is not there or not whole. The file appears only when it is
/// complete. Blocks; `progress` gets 0 … 1. Errors: kIo for a folder that cannot be written or has
/// too little space.
Result<std::string> weights_for_mode(const SourceModel& source, const Mode& mode,
                                     const std::string& preferred_folder,
                                     const std::function<void(float)>& progress);

}  // namespace switchyard::engine
