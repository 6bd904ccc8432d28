#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace switchyard {
namespace {

namespace fs = std::filesystem;

Error io_error(const std::string& path, const std::string& what, int code) {
  return {ErrorCode::kIo,
          fmt::format("{}: {}: {}", path, what, std::generic_category().message(code)), ""};
}

std::string temporary_prefix(const fs::path& path) { return path.filename().string() + ".tmp-"; }

/// Whether a temporary file with this suffix belongs to a process that is gone.
bool is_abandoned(std::string_view process_id) {
  pid_t pid = 0;
  const auto [end, error] =
      std::from_chars(process_id.data(), process_id.data() + process_id.size(), pid);
  const bool parsed = error == std::errc() && end == process_id.data() + process_id.size();
  return parsed && pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH;
}

void remove_abandoned(const fs::path& path) {
  const std::string prefix = temporary_prefix(path);
  std::error_code ignored;  // tidying up may fail without harm
  for (const auto& entry : fs::directory_iterator(path.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && is_abandoned(std::string_view(name).substr(prefix.size()))) {
      fs::remove(entry.path(), ignored);
    }
  }
}

int flush_to_disk(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const int result = ::fsync(file) == 0 ? 0 : errno;
  ::close(file);
  return result;
}

}  // namespace

AtomicFile::AtomicFile(std::string path, std::string temporary_path)
    : path_(std::move(path)), temporary_path_(std::move(temporary_path)) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)), temporary_path_(std::exchange(other.temporary_path_, {})) {}

AtomicFile::~AtomicFile() {
  if (!temporary_path_.empty()) std::remove(temporary_path_.c_str());
}

Result<AtomicFile> AtomicFile::create(const std::string& path) {
  std::error_code code;
  const fs::path target = fs::absolute(path, code);
  fs::create_directories(target.parent_path(), code);
  if (code) return io_error(target.parent_path().string(), "cannot be created", code.value());
  remove_abandoned(target);
  const fs::path temporary =
      target.parent_path() / (temporary_prefix(target) + std::to_string(::getpid()));
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                          S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  if (file < 0) return io_error(target.parent_path().string(), "cannot be written to", errno);
  ::close(file);
  return AtomicFile(target.string(), temporary.string());
}

Result<void> AtomicFile::commit() {
  if (const int code = flush_to_disk(temporary_path_)) {
    return io_error(path_, "cannot be written", code);
  }
  if (std::rename(temporary_path_.c_str(), path_.c_str()) != 0) {
    return io_error(path_, "cannot be written", errno);
  }
  temporary_path_.clear();
  return {};
}

}  // namespace switchyard
