#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace switchyard::api {

/// Checks API keys. Immutable: any thread.
class Auth {
 public:
  explicit Auth(const std::vector<std::string>& keys);

  /// `authorization` is the header's value, "" if absent. Without keys everyone is let in. Takes
  /// the same time whichever key matches and wherever a wrong one differs: digests are compared,
  /// all of them.
  bool allows(std::string_view authorization) const;

 private:
  using Digest = std::array<unsigned char, 32>;
  static Digest digest_of(std::string_view text);

  std::vector<Digest> keys_;
};

}  // namespace switchyard::api
