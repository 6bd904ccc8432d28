#pragma once

#include <string_view>
#include <vector>

#include "api/response_shape.h"
#include "base/result.h"
#include "service/service.h"

namespace switchyard::api {

/// What the body of one completion request asks the service for.
struct GenerationCall {
  /// One per prompt, ≥ 1. Choice j of request i is choice i × n + j of the answer.
  std::vector<service::GenerationRequest> requests;
  ResponseShape shape;
  bool stream = false;
  int choices_per_request = 1;
  int choices = 1;  ///< of all requests
};

/// Parses, validates and tokenizes. Takes CPU time in proportion to the body: every limit that can
/// be checked without tokens is checked first. Precondition: the service is not loading.
Result<GenerationCall> prepare_generation(Endpoint endpoint, std::string_view body,
                                          std::string_view request_id,
                                          const service::Service& service);

/// An error about `prompt` as a client of `endpoint` knows the field: `messages` of a chat.
Error name_prompt_field(Error error, Endpoint endpoint);

}  // namespace switchyard::api
