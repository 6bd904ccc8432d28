#pragma once

#include <cstdio>
#include <cstdlib>

namespace switchyard::scheduler {

/// A broken precondition is a bug of the caller: say which and abort, in every build type.
inline void require(bool condition, const char* message) {
  if (condition) return;
  std::fprintf(stderr, "scheduler: %s\n", message);
  std::abort();
}

}  // namespace switchyard::scheduler
