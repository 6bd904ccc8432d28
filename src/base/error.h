#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace switchyard {

/// Every error a user or client can cause. The mapping to HTTP status, OpenAI error type and metric
/// label is one table in api/error_mapping.cpp; the exit status of a command follows from
/// `is_usage_error`.
enum class ErrorCode {
  kInvalidRequest,         ///< malformed or out-of-range request field
  kContextLengthExceeded,  ///< prompt leaves no room for a token
  kUnauthorized,           ///< missing or wrong API key
  kModelNotFound,          ///< no lane of that name
  kNotFound,               ///< unknown path
  kMethodNotAllowed,       ///< known path, wrong method
  kPayloadTooLarge,        ///< request body over the limit
  kHeaderTooLarge,         ///< request header over the limit
  kRequestTimeout,         ///< the client took too long to send its request
  kUnsupported,            ///< a documented OpenAI field this server does not serve
  kQueueFull,              ///< overload: try again later
  kQueueTimeout,           ///< waited longer than the wait limit for a slot
  kLoading,                ///< the model is not ready yet
  kShuttingDown,           ///< SIGTERM was received
  kEngineFailure,          ///< the engine could not compute a step
  kUsage,                  ///< bad command line, environment or config file (exit 2)
  kIo,                     ///< a file or socket of the user's could not be used (exit 1)
  kInternal,               ///< a bug on our side
};

/// A failure as a value: what went wrong in one line, and for requests the field it is about.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  ///< one line, valid UTF-8, never echoes client bytes raw
  std::string param;    ///< request field or option the error is about; empty if none
};

inline bool is_usage_error(ErrorCode code) { return code == ErrorCode::kUsage; }

}  // namespace switchyard
