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

  bool stream() const { return requests.front().stream; }
  int choices_per_request() const { return requests.front().n; }
  int choices() const { return static_cast<int>(requests.size()) * choices_per_request(); }
};

/// Parses, validates and tokenizes. Takes CPU time in proportion to the body.
/// Precondition: the service is not loading.
Result<GenerationCall> prepare_generation(Endpoint endpoint, std::string_view body,
                                          std::string_view request_id,
                                          const service::Service& service);

}  // namespace switchyard::api
