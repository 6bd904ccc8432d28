#include "api/auth.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace switchyard::api {
namespace {

constexpr std::string_view kScheme = "bearer ";

// The key of "Bearer KEY" (the scheme in any case, RFC 9110 section 11.1), else "".
std::string_view bearer_key(std::string_view authorization) {
  if (authorization.size() < kScheme.size()) return {};
  const bool bearer = std::equal(
      kScheme.begin(), kScheme.end(), authorization.begin(),
      [](char wanted, char c) { return wanted == std::tolower(static_cast<unsigned char>(c)); });
  if (!bearer) return {};
  authorization.remove_prefix(kScheme.size());
  while (authorization.starts_with(' ')) authorization.remove_prefix(1);
  return authorization;
}

}  // namespace

Auth::Auth(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) keys_.push_back(digest_of(key));
}

Auth::Digest Auth::digest_of(std::string_view text) {
  Digest digest{};
  if (EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    std::abort();  // SHA-256 cannot fail on memory
  }
  return digest;
}

bool Auth::allows(std::string_view authorization) const {
  if (keys_.empty()) return true;
  const std::string_view key = bearer_key(authorization);
  const Digest given = digest_of(key);
  unsigned matches = 0;
  for (const Digest& known : keys_) {
    matches |= static_cast<unsigned>(CRYPTO_memcmp(given.data(), known.data(), known.size()) == 0);
  }
  return matches != 0 && !key.empty();
}

}  // namespace switchyard::api
