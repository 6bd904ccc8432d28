#pragma once

#include <string>

namespace switchyard::engine {

/// What of this build and machine the speed of the llama engine depends on.
struct BuildInfo {
  std::string commit;   ///< llama.cpp's
  std::string kernels;  ///< instruction sets and options the kernels were compiled with
  std::string devices;  ///< accelerators that are present, by name; empty = none
};

BuildInfo build_info();

}  // namespace switchyard::engine
