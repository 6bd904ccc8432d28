#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace switchyard::engine {

/// A weights mode: its name and what llama.cpp's quantizer calls it.
struct Mode {
  const char* name;
  int file_type;           ///< llama_ftype
  double bits_per_weight;  ///< upper bound over the tensors, for size estimates
  bool full_precision;     ///< computed from the mapped file, never repacked in memory
};

/// The modes of a list, "auto" resolved for this machine. Errors: kUsage for an empty list, an
/// unknown name (the message lists the choices) or a repeated mode.
Result<std::vector<Mode>> resolve_modes(const std::vector<std::string>& names);

}  // namespace switchyard::engine
