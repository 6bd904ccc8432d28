#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace switchyard::client {

/// Where an OpenAI-compatible server listens.
struct Url {
  std::string host;
  std::string port = "80";
  std::string base_path;  ///< before "/v1/…": empty, or "/proxy" without a slash at its end

  /// For the Host header: without the port if it is 80.
  std::string authority() const;
};

/// Accepts http://HOST[:PORT][/PATH], IPv6 in brackets; a "/v1" at the end of the path is dropped.
/// kUsage for anything else; https is refused with what to do instead.
Result<Url> parse_url(std::string_view text);

}  // namespace switchyard::client
