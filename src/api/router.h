#pragma once

#include <string>
#include <string_view>

namespace switchyard::api {

enum class Route {
  kUnknown,
  kHealth,
  kMetrics,
  kVersion,
  kModels,
  kModel,  ///< /v1/models/ID
  kChatCompletions,
  kCompletions,
  kTokenize,
  kDetokenize,
};

/// The path of a request target without query. `target` may hold any bytes.
std::string_view path_of(std::string_view target);

Route find_route(std::string_view path);

/// Methods of a route as the Allow header lists them. Precondition: not kUnknown.
std::string_view allowed_methods(Route route);
bool allows_method(Route route, std::string_view method);

/// The ID of /v1/models/ID with %XX decoded. Precondition: find_route(path) is kModel.
std::string model_of_path(std::string_view path);

}  // namespace switchyard::api
