#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace switchyard::engine {

/// A weights mode: its name and what llama.cpp's quantizer calls it.
struct Mode {
  const char* name;
  int file_type;           ///< llama_ftype
  int tensor_type;         ///< ggml_type the mode is named after; a file mixes others in
  double bits_per_weight;  ///< upper bound over the tensors, for size estimates
  bool full_precision;     ///< computed from the mapped file, never repacked in memory
};

/// The modes of a list, upper and lower case alike, "auto" resolved for this machine. Errors:
/// kUsage for an empty list, an unknown name, one that the quantizer cannot derive without an
/// importance matrix, or a repeated mode; the message lists the choices.
Result<std::vector<Mode>> resolve_modes(const std::vector<std::string>& names);

/// "auto, f16, bf16, q8_0, …": every name that resolve_modes takes.
std::string mode_choices();

/// llama.cpp's name of the type the mode is named after, as GgufFile::tensor_types has it: "q4_K".
std::string tensor_type_name(const Mode& mode);

}  // namespace switchyard::engine
