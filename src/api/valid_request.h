#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "api/wire_fields.h"
#include "base/result.h"
#include "core/request.h"

namespace switchyard::api {

/// A request as it came: everything but the prompt, nothing settled.
struct WireRequest {
  WireFields fields;
  std::vector<std::string> stop;
  std::vector<core::LogitBias> logit_bias;
  bool include_usage = false;
};

/// A request with every default filled in and every range settled; no optionals left.
struct ValidRequest {
  std::string model;  ///< "" = the first model
  bool stream = false;
  bool include_usage = false;  ///< of a stream
  std::int32_t n = 1;
  std::int32_t max_tokens = 1;  ///< INT32_MAX = all that fits
  core::SamplingParams sampling;
  std::vector<std::string> stop;
  std::string cache_salt;
};

Result<WireRequest> read_wire_request(const nlohmann::json& body, Endpoint endpoint);

/// `random_seed` is used if the request names none.
Result<ValidRequest> validate(WireRequest wire, Endpoint endpoint, std::int32_t vocabulary_size,
                              std::uint32_t random_seed);

}  // namespace switchyard::api
