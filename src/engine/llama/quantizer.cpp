#include "engine/llama/quantizer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <llama.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "engine/llama/log_capture.h"

namespace switchyard::engine {
namespace {

constexpr std::size_t kBufferBytes = 256 << 20;  // rows in memory at once; the default is 8 GiB

llama_model_quantize_params parameters(const Mode& mode) {
  llama_model_quantize_params params = llama_model_quantize_default_params();
  params.ftype = static_cast<llama_ftype>(mode.file_type);
  params.allow_requantize = true;
  params.max_buf_size = kBufferBytes;
  return params;
}

Error failure(const std::string& source, const Mode& mode, const std::string& why) {
  return {ErrorCode::kIo,
          fmt::format("deriving {} weights from {} failed: {}", mode.name, source, why), "model"};
}

std::string describe(const QuantizeJob& job, int code) {
  return fmt::format("{}: {} ({} MB are needed)", job.target, std::generic_category().message(code),
                     job.file_bytes / 1'000'000);
}

/// Takes the file's space at once, so that a disk that is too full is found before the work and
/// another writer cannot take it meanwhile. 0, or the errno that says there is no room.
int reserve(const QuantizeJob& job) {
  const int file = ::open(job.target.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const int code =
      ::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(job.file_bytes)) == 0 ? 0
                                                                                         : errno;
  ::close(file);
  return code == ENOSPC || code == EDQUOT ? code : 0;  // not every file system can reserve
}

/// Frees what was reserved beyond the file's end.
void give_back_unused(const std::string& target) {
  std::error_code ignored;  // it costs a little space
  const std::uintmax_t size = std::filesystem::file_size(target, ignored);
  if (!ignored) std::filesystem::resize_file(target, size, ignored);
}

/// Why nothing more can be written to the target, or 0: the quantizer does not say.
int write_fault(const std::string& target) {
  const int file = ::open(target.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return errno;
  const std::vector<char> probe(1 << 20);
  int code = 0;
  for (std::size_t done = 0; done < probe.size() && code == 0;) {
    const ssize_t written = ::write(file, probe.data(), probe.size() - done);
    if (written < 0) {
      code = errno;
    } else {
      done += static_cast<std::size_t>(written);
    }
  }
  ::close(file);
  return code;
}

/// Follows the quantizer by its log: a line "[ 12/ 272] blk.…" as each tensor begins, when the
/// target is open already. Stops it by an exception, which llama_model_quantize catches.
class Monitor {
 public:
  explicit Monitor(const QuantizeJob& job) : job_(job) {}

  void on_line(std::string_view line) {
    int current = 0;
    int total = 0;
    const bool tensor = line.starts_with('[') &&
                        std::sscanf(std::string(line).c_str(), "[%d/%d]", &current, &total) == 2 &&
                        total > 0;
    if (!tensor) return;
    if (job_.cancelled()) stop("interrupted");
    if (!reserved_) {
      if (const int code = reserve(job_)) stop(describe(job_, code));
      reserved_ = true;
    }
    job_.progress(static_cast<float>(current) / static_cast<float>(total));
  }
  /// Why the quantizer was stopped; empty if it was not.
  const std::string& reason() const { return reason_; }

 private:
  [[noreturn]] void stop(std::string reason) {
    reason_ = std::move(reason);
    throw std::runtime_error(reason_);
  }

  const QuantizeJob& job_;
  bool reserved_ = false;
  std::string reason_;
};

}  // namespace

Result<std::uint64_t> quantized_tensor_bytes(const std::string& source, const Mode& mode) {
  llama_model_quantize_params params = parameters(mode);
  params.dry_run = true;
  double mebibytes = 0;
  clear_llama_error();
  const LogListener listener([&](std::string_view line) {
    const std::size_t at = line.find("quant size");
    if (at == std::string_view::npos) return;
    std::sscanf(std::string(line.substr(at)).c_str(), "quant size = %lf", &mebibytes);
  });
  if (llama_model_quantize(source.c_str(), "", &params) != 0 || mebibytes <= 0) {
    return failure(source, mode, first_llama_error());
  }
  return static_cast<std::uint64_t>((mebibytes + 0.01) * (1 << 20));  // printed with two digits
}

Result<GgufFile> quantize(const QuantizeJob& job, const Mode& mode) {
  const llama_model_quantize_params params = parameters(mode);
  Monitor monitor(job);
  clear_llama_error();
  const LogListener listener([&](std::string_view line) { monitor.on_line(line); });
  const auto status = llama_model_quantize(job.source.c_str(), job.target.c_str(), &params);
  if (!monitor.reason().empty()) return failure(job.source, mode, monitor.reason());
  std::string why = first_llama_error();
  if (status == 0) {  // which it also says after a write that failed
    auto whole = inspect_gguf(job.target);
    if (whole) {
      give_back_unused(job.target);
      return whole;
    }
    why = whole.error().message;
  }
  if (const int code = write_fault(job.target)) why = describe(job, code);
  return failure(job.source, mode, why);
}

}  // namespace switchyard::engine
