#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"

namespace switchyard::workload {

/// A regular file read front to back in pieces. Not thread safe.
class InputFile {
 public:
  /// Refuses, with kIo and in one line, what is missing, unreadable, empty, a directory or a FIFO
  /// (without waiting for a writer).
  static Result<InputFile> open(const std::string& path);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  /// Fills the front of `buffer`; 0 = end of file.
  Result<std::size_t> read(std::span<char> buffer);

  std::uint64_t size_bytes() const { return size_bytes_; }
  const std::string& path() const { return path_; }

 private:
  InputFile(int descriptor, std::string path, std::uint64_t size_bytes);

  int descriptor_ = -1;
  std::string path_;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace switchyard::workload
