#pragma once

#include <string>

#include "base/result.h"

namespace switchyard {

/// A file that appears whole or not at all: write to temporary_path(), then commit(). A process
/// that dies in between leaves only a temporary file, which the next AtomicFile for the same path
/// removes: the owner of a temporary file holds a lock on it (flock), a dead one does not. Several
/// processes may write the same path at once, also from different containers; the last commit wins.
class AtomicFile {
 public:
  /// Creates the parent folders if needed.
  static Result<AtomicFile> create(const std::string& path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();  ///< removes the temporary file unless committed

  const std::string& temporary_path() const { return temporary_path_; }
  /// Flushes to disk and renames. Error: kIo, naming the path; the old file, if any, is untouched.
  Result<void> commit();

 private:
  AtomicFile(std::string path, std::string temporary_path, int lock);

  std::string path_;
  std::string temporary_path_;  ///< empty once committed
  int lock_;                    ///< descriptor of the temporary file, locked; −1 once moved from
};

}  // namespace switchyard
