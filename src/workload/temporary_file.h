#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

namespace switchyard::workload {

/// Test support: a file with given bytes, gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes) {
    static int count = 0;
    path_ = testing::TempDir() + "switchyard_workload_" + std::to_string(::getpid()) + "_" +
            std::to_string(count++);
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace switchyard::workload
