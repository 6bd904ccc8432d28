#include "engine/llama/weights_cache_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace switchyard::engine {
namespace {

/// Whether `path` still names the open file: its last owner may have removed it.
bool is_same_file(int descriptor, const std::string& path) {
  struct stat opened{};
  struct stat named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// False if cancelled.
bool wait_for_lock(int descriptor, const std::function<void()>& waiting,
                   const std::function<bool()>& cancelled) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
  waiting();
  while (!cancelled()) {
    if (::flock(descriptor, LOCK_EX) == 0 || errno != EINTR) return true;
  }
  return false;
}

}  // namespace

Result<WeightsCacheLock> WeightsCacheLock::acquire(const std::string& file,
                                                   const std::function<void()>& waiting,
                                                   const std::function<bool()>& cancelled) {
  const std::string path = file + ".lock";
  while (true) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) {
      return Error{
          ErrorCode::kIo,
          fmt::format("{}: cannot be created: {}", path, std::generic_category().message(errno)),
          "cache-dir"};
    }
    WeightsCacheLock lock(path, descriptor);
    if (!wait_for_lock(descriptor, waiting, cancelled)) {
      ::close(std::exchange(lock.descriptor_, -1));  // the file is its owner's
      return Error{ErrorCode::kIo, fmt::format("{}: interrupted while waiting", path), ""};
    }
    if (is_same_file(descriptor, path)) return lock;
    ::close(std::exchange(lock.descriptor_, -1));
  }
}

WeightsCacheLock::WeightsCacheLock(std::string path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

WeightsCacheLock::WeightsCacheLock(WeightsCacheLock&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

WeightsCacheLock::~WeightsCacheLock() {
  if (descriptor_ < 0) return;
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace switchyard::engine
