#include "base/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace switchyard {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
struct FreeDigest {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

constexpr std::size_t kChunkBytes = 1 << 20;

/// OpenSSL fails here only when it is out of memory or built without SHA-256.
void require(int ok) {
  if (ok != 1) std::abort();
}

}  // namespace

Result<std::string> sha256_of_file(const std::string& path,
                                   const std::function<bool(std::uint64_t)>& go_on) {
  const auto refuse = [&](const char* why = "cannot be read") {
    return Error{ErrorCode::kIo, fmt::format("{}: {}", path, why), ""};
  };
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) return refuse();
  const std::unique_ptr<EVP_MD_CTX, FreeDigest> context(EVP_MD_CTX_new());
  require(EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr));
  std::vector<unsigned char> chunk(kChunkBytes);
  std::uint64_t done = 0;
  while (const std::size_t bytes = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    require(EVP_DigestUpdate(context.get(), chunk.data(), bytes));
    done += bytes;
    if (go_on && !go_on(done)) return refuse("interrupted while reading");
  }
  if (std::ferror(file.get())) return refuse();
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  require(EVP_DigestFinal_ex(context.get(), digest.data(), &size));
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace switchyard
