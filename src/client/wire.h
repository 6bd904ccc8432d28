#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "client/url.h"

namespace switchyard::client {

inline constexpr std::size_t kMaxHeaderBytes = 64 * 1024;

/// An HTTP/1.1 request as bytes, closing the connection after its answer. A GET if `body` is empty,
/// else a POST of JSON.
std::string request_bytes(const Url& url, std::string_view path, std::string_view body,
                          std::string_view api_key);

}  // namespace switchyard::client
