#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "engine/llama/modes.h"
#include "engine/llama/weights_cache.h"

namespace switchyard::commands {

struct PreparedMode {
  engine::Mode mode;
  engine::Weights weights;
  double seconds = 0;  ///< to find or derive it
};

struct PrepareReport {
  engine::SourceModel source;
  std::string source_hash;
  std::vector<PreparedMode> modes;
  std::string failure;  ///< why the rest of the list is missing; empty if it is not
};

/// What is printed before the first mode, and for each mode as it is ready; with notes where the
/// weights are not what their name promises.
std::string source_text(const PrepareReport& report);
std::string mode_text(const PrepareReport& report, const PreparedMode& prepared);

/// Schema switchyard.prepare.v1 (docs/prepare.md).
std::string render_json(const PrepareReport& report);

}  // namespace switchyard::commands
