#include "api/router.h"

#include <array>
#include <charconv>

namespace switchyard::api {
namespace {

constexpr std::string_view kReadMethods = "GET, HEAD, OPTIONS";
constexpr std::string_view kPostMethods = "POST, OPTIONS";
constexpr std::string_view kModelPrefix = "/v1/models/";

struct Entry {
  std::string_view path;
  Route route;
  std::string_view methods;
};

constexpr std::array kEntries = {
    Entry{"/v1/chat/completions", Route::kChatCompletions, kPostMethods},
    Entry{"/v1/completions", Route::kCompletions, kPostMethods},
    Entry{"/v1/models", Route::kModels, kReadMethods},
    Entry{kModelPrefix, Route::kModel, kReadMethods},
    Entry{"/health", Route::kHealth, kReadMethods},
    Entry{"/metrics", Route::kMetrics, kReadMethods},
    Entry{"/version", Route::kVersion, kReadMethods},
    Entry{"/tokenize", Route::kTokenize, kPostMethods},
    Entry{"/detokenize", Route::kDetokenize, kPostMethods},
};

}  // namespace

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

Route find_route(std::string_view path) {
  if (path.starts_with(kModelPrefix) && path.size() > kModelPrefix.size()) return Route::kModel;
  for (const Entry& entry : kEntries) {
    if (entry.route != Route::kModel && entry.path == path) return entry.route;
  }
  return Route::kUnknown;
}

std::string_view allowed_methods(Route route) {
  for (const Entry& entry : kEntries) {
    if (entry.route == route) return entry.methods;
  }
  return {};
}

bool allows_method(Route route, std::string_view method) {
  std::string_view rest = allowed_methods(route);
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    if (one == method) return true;
    rest.remove_prefix(one.size());
    while (rest.starts_with(',') || rest.starts_with(' ')) rest.remove_prefix(1);
  }
  return false;
}

std::string model_of_path(std::string_view path) {
  path.remove_prefix(kModelPrefix.size());
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    unsigned byte = 0;
    const char* digits = path.data() + i + 1;
    if (path[i] == '%' && i + 2 < path.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += path[i];
    }
  }
  return out;
}

}  // namespace switchyard::api
