#include "client/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace switchyard::client {
namespace {

Error bad_url(std::string_view why) {
  return {ErrorCode::kUsage, fmt::format("the URL must look like http://127.0.0.1:8080 ({})", why),
          "--url"};
}

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0;
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

}  // namespace

std::string Url::authority() const {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  const std::string name = is_ipv6 ? "[" + host + "]" : host;
  return port == "80" ? name : name + ":" + port;
}

Result<Url> parse_url(std::string_view text) {
  constexpr std::string_view kScheme = "http://";
  if (text.starts_with("https://")) {
    return bad_url("https is not supported: put a local proxy in front that ends the encryption");
  }
  if (!text.starts_with(kScheme)) return bad_url("it must begin with http://");
  if (!is_printable(text)) return bad_url("it holds blanks or bytes outside ASCII");
  text.remove_prefix(kScheme.size());

  Url url;
  const std::size_t slash = std::min(text.find('/'), text.size());
  std::string_view authority = text.substr(0, slash);
  std::string_view path = text.substr(slash);
  if (authority.find_first_of("@?#") != std::string_view::npos)
    return bad_url("host and port only");
  if (authority.starts_with('[')) {
    const std::size_t bracket = authority.find(']');
    if (bracket == std::string_view::npos) return bad_url("the bracket is not closed");
    url.host = std::string(authority.substr(1, bracket - 1));
    authority.remove_prefix(bracket + 1);
  } else {
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    url.host = std::string(authority.substr(0, colon));
    authority.remove_prefix(colon);
  }
  if (url.host.empty()) return bad_url("no host");
  if (!authority.empty()) {
    if (authority.front() != ':' || !is_port(authority.substr(1))) return bad_url("bad port");
    url.port = std::string(authority.substr(1));
  }
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with("/v1")) path.remove_suffix(3);
  url.base_path = std::string(path);
  return url;
}

}  // namespace switchyard::client
