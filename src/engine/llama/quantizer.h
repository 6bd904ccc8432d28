#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "engine/llama/gguf_file.h"
#include "engine/llama/modes.h"

namespace switchyard::engine {

struct QuantizeJob {
  std::string source;            ///< GGUF file; its weights may be quantized already
  std::string target;            ///< existing file, overwritten
  std::uint64_t file_bytes = 0;  ///< size the target will have, at least; reserved on disk at once
  std::function<void(float)> progress;  ///< 0 … 1
  std::function<bool()> cancelled;      ///< asked before every tensor
};

/// Bytes of the tensors that quantize() would write, found without computing them.
Result<std::uint64_t> quantized_tensor_bytes(const std::string& source, const Mode& mode);

/// Writes the source's weights in `mode`, on all cores, with bounded memory, and reads back the
/// target's header. One at a time in a process. Errors: kIo, one line, for a disk that fills up or
/// another write that fails, a source the quantizer refuses, and when it was cancelled; what the
/// target then holds is of no use.
Result<GgufFile> quantize(const QuantizeJob& job, const Mode& mode);

}  // namespace switchyard::engine
