#include "workload/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace switchyard::workload {
namespace {

Error io_error(const std::string& path, std::string_view what) {
  return {ErrorCode::kIo, fmt::format("{}: {}", path, what), ""};
}

}  // namespace

InputFile::InputFile(int descriptor, std::string path, std::uint64_t size_bytes)
    : descriptor_(descriptor), path_(std::move(path)), size_bytes_(size_bytes) {}

InputFile::InputFile(InputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      size_bytes_(other.size_bytes_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<InputFile> InputFile::open(const std::string& path) {
  // O_NONBLOCK: opening a FIFO for reading would otherwise wait until somebody writes to it.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return io_error(path, std::strerror(errno));
  InputFile file(descriptor, path, 0);
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return io_error(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) return io_error(path, "is a directory, not a file");
  if (!S_ISREG(status.st_mode)) return io_error(path, "is not a regular file");
  if (status.st_size == 0) return io_error(path, "is empty");
  file.size_bytes_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

Result<std::size_t> InputFile::read(std::span<char> buffer) {
  while (true) {
    const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return io_error(path_, std::strerror(errno));
  }
}

}  // namespace switchyard::workload
