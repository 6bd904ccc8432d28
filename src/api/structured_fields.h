#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/request.h"

namespace switchyard::api {

/// `stop`: null, a string, or up to kMaxStops strings, each 1 … kMaxStopBytes bytes.
Result<std::vector<std::string>> read_stop(const nlohmann::json& body);

/// `logit_bias`: token id as a decimal string → bias in −100 … 100. Ids are not yet compared with
/// the vocabulary.
Result<std::vector<core::LogitBias>> read_logit_bias(const nlohmann::json& body);

/// `stream_options.include_usage`; without `stream` the answer carries usage anyway.
Result<bool> read_include_usage(const nlohmann::json& body);

}  // namespace switchyard::api
