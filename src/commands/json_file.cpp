#include "commands/json_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/atomic_file.h"

namespace switchyard::commands {

Result<void> write_json_file(const std::string& path, const std::string& text) {
  std::error_code none;
  if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none)) {
    std::ofstream(path, std::ios::binary) << text;
    return {};
  }
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  std::ofstream out(file->temporary_path(), std::ios::binary);
  out << text;
  out.close();
  if (!out) return Error{ErrorCode::kIo, path + ": cannot be written", ""};
  return file->commit();
}

}  // namespace switchyard::commands
