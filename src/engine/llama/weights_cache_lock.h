#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace switchyard::engine {

/// Held by the one process that derives a cached file (flock on FILE.lock), so that others wait for
/// the result instead of computing it again. The lock file goes away with its last owner, and a
/// process that dies frees the lock. Where the file system has no locks nobody waits.
class WeightsCacheLock {
 public:
  /// Blocks. `waiting` is called once if another process holds the lock. A signal that interrupts
  /// the wait makes it ask `cancelled`. Errors: kIo for a folder that cannot be written to, or when
  /// cancelled.
  static Result<WeightsCacheLock> acquire(const std::string& file,
                                          const std::function<void()>& waiting,
                                          const std::function<bool()>& cancelled);

  WeightsCacheLock(WeightsCacheLock&& other) noexcept;
  WeightsCacheLock& operator=(WeightsCacheLock&&) = delete;
  ~WeightsCacheLock();

 private:
  WeightsCacheLock(std::string path, int descriptor);

  std::string path_;
  int descriptor_;  ///< −1 once moved from
};

}  // namespace switchyard::engine
