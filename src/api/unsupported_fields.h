#pragma once

#include <nlohmann/json_fwd.hpp>

#include "api/wire_fields.h"
#include "base/result.h"

namespace switchyard::api {

/// kUnsupported, with the field as param, if the body asks for something that would change the
/// answer and that this server does not do: output grammars, tools, audio, … Their neutral values
/// (null, [], {"type":"text"}, …) pass. Fields not in the table are ignored.
Result<void> refuse_unsupported_fields(const nlohmann::json& body, Endpoint endpoint);

}  // namespace switchyard::api
