#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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

/// Whether the process that made this temporary file is gone.
bool is_abandoned(const fs::path& temporary) {
  const int file = ::open(temporary.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool abandoned = ::flock(file, LOCK_EX | LOCK_NB) == 0;
  ::close(file);
  return abandoned;
}

void remove_abandoned(const fs::path& path) {
  const std::string prefix = temporary_prefix(path);
  std::error_code ignored;  // tidying up may fail without harm
  for (const auto& entry : fs::directory_iterator(path.parent_path(), ignored)) {
    const bool ours = entry.path().filename().string().starts_with(prefix);
    if (ours && is_abandoned(entry.path())) fs::remove(entry.path(), ignored);
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

AtomicFile::AtomicFile(std::string path, std::string temporary_path, int lock)
    : path_(std::move(path)), temporary_path_(std::move(temporary_path)), lock_(lock) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_path_(std::exchange(other.temporary_path_, {})),
      lock_(std::exchange(other.lock_, -1)) {}

AtomicFile::~AtomicFile() {
  if (!temporary_path_.empty()) std::remove(temporary_path_.c_str());
  if (lock_ >= 0) ::close(lock_);
}

Result<AtomicFile> AtomicFile::create(const std::string& path) {
  std::error_code code;
  const fs::path target = fs::absolute(path, code);
  fs::create_directories(target.parent_path(), code);
  if (code) return io_error(target.parent_path().string(), "cannot be created", code.value());
  remove_abandoned(target);
  std::string temporary = (target.parent_path() / (temporary_prefix(target) + "XXXXXX")).string();
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return io_error(target.parent_path().string(), "cannot be written to", errno);
  ::fchmod(file, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  ::flock(file, LOCK_EX | LOCK_NB);  // where locks are not supported, nothing is ever tidied up
  return AtomicFile(target.string(), std::move(temporary), file);
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
