#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace switchyard::api {

/// How one ErrorCode looks from outside.
struct ErrorMapping {
  ErrorCode code;
  int status;                 ///< HTTP status
  std::string_view type;      ///< `type` of the OpenAI error object
  std::string_view api_code;  ///< its `code`
  std::string_view label;     ///< label value in metrics
  int retry_after_s;          ///< Retry-After header, 0 = none
};

const ErrorMapping& error_mapping(ErrorCode code);

/// `{"error":{"message":…,"type":…,"param":…,"code":…}}`
std::string error_body(const Error& error);

}  // namespace switchyard::api
