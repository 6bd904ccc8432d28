#pragma once

#include "base/result.h"
#include "client/http_call.h"
#include "client/request_body.h"
#include "workload/synthetic_workload.h"

namespace switchyard::client {

/// Asks the server, with two unmeasured requests of one token, how many tokens it makes of
/// synthetic words. `target` needs url, api_key and timeout. kIo if it gives no usage.
Result<workload::PromptScale> calibrate_prompts(HttpCall target, BodyOptions body);

}  // namespace switchyard::client
