#include "api/error_mapping.h"

#include <array>
#include <cstdlib>

#include "api/json_writer.h"

namespace switchyard::api {
namespace {

constexpr std::string_view kRequest = "invalid_request_error";
constexpr std::string_view kOverload = "rate_limit_error";
constexpr std::string_view kServer = "server_error";

// clang-format off
constexpr std::array<ErrorMapping, 18> kMappings = {{
    {ErrorCode::kInvalidRequest,        400, kRequest,  "invalid_value",           "invalid_request",         0},
    {ErrorCode::kContextLengthExceeded, 400, kRequest,  "context_length_exceeded", "context_length_exceeded", 0},
    {ErrorCode::kUnsupported,           400, kRequest,  "unsupported",             "unsupported",             0},
    {ErrorCode::kUnauthorized,          401, kRequest,  "invalid_api_key",         "unauthorized",            0},
    {ErrorCode::kModelNotFound,         404, kRequest,  "model_not_found",         "model_not_found",         0},
    {ErrorCode::kNotFound,              404, kRequest,  "not_found",               "not_found",               0},
    {ErrorCode::kMethodNotAllowed,      405, kRequest,  "method_not_allowed",      "method_not_allowed",      0},
    {ErrorCode::kRequestTimeout,        408, kRequest,  "request_timeout",         "request_timeout",         0},
    {ErrorCode::kPayloadTooLarge,       413, kRequest,  "payload_too_large",       "payload_too_large",       0},
    {ErrorCode::kHeaderTooLarge,        431, kRequest,  "header_too_large",        "header_too_large",        0},
    {ErrorCode::kQueueFull,             429, kOverload, "queue_full",              "queue_full",              1},
    {ErrorCode::kQueueTimeout,          429, kOverload, "queue_timeout",           "queue_timeout",           1},
    {ErrorCode::kLoading,               503, kServer,   "loading",                 "loading",                 2},
    {ErrorCode::kShuttingDown,          503, kServer,   "shutting_down",           "shutting_down",           5},
    {ErrorCode::kEngineFailure,         500, kServer,   "engine_failure",          "engine_failure",          0},
    {ErrorCode::kUsage,                 500, kServer,   "internal_error",          "internal_error",          0},
    {ErrorCode::kIo,                    500, kServer,   "internal_error",          "internal_error",          0},
    {ErrorCode::kInternal,              500, kServer,   "internal_error",          "internal_error",          0},
}};
// clang-format on

}  // namespace

const ErrorMapping& error_mapping(ErrorCode code) {
  for (const ErrorMapping& mapping : kMappings) {
    if (mapping.code == code) return mapping;
  }
  std::abort();  // an ErrorCode without a row: a bug
}

std::string error_body(const Error& error) {
  const ErrorMapping& mapping = error_mapping(error.code);
  std::string out = R"({"error":{"message":)";
  append_json_string(error.message, out);
  out += R"(,"type":")";
  out += mapping.type;
  out += R"(","param":)";
  if (error.param.empty()) {
    out += "null";
  } else {
    append_json_string(error.param, out);
  }
  out += R"(,"code":")";
  out += mapping.api_code;
  out += R"("}})";
  return out;
}

}  // namespace switchyard::api
