#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace switchyard::engine {

/// What one step costs on the modelled device, in microseconds:
///   step + passes × pass
///   + Σ prompt tokens × (prefill_token + context/1000 × prefill_context)
///   + Σ decoding streams × (decode + context/1000 × decode_context)
///   + tokens stored, restored, copied or moved × copied_token
/// where context is the number of tokens before the evaluated one.
struct StepCost {
  double step_us = 0;
  double pass_us = 0;
  double prefill_token_us = 0;
  double prefill_context_us = 0;
  double decode_us = 0;
  double decode_context_us = 0;
  double copied_token_us = 0;
};

struct SimOptions {
  std::string profile = "default";
  /// Cost of every mode that `mode_costs` does not name.
  StepCost cost{.step_us = 200, .prefill_token_us = 0.2, .decode_us = 0.5};
  std::map<std::string, StepCost> mode_costs;

  std::vector<std::string> modes = {"f16", "q8_0"};  ///< lanes; the first is the reference
  std::int32_t streams = 256;                        ///< per lane
  std::int32_t stream_capacity_tokens = 4096;
  /// Tokens all streams of a lane hold together; 0 = streams × stream_capacity_tokens.
  std::int64_t pool_capacity_tokens = 0;
  double speed = 1;  ///< simulated seconds per real second
};

/// The options of `--engine sim:SPEC`. SPEC is `PROFILE[,speed=NUMBER]` where PROFILE is `default`
/// (fast, for tests of everything around the engine), `cpu-smollm2` (SmolLM2-135M on two Zen 4
/// cores as measured) or the path of a JSON file:
///   {"streams": 16, "context_tokens": 2048, "pool_tokens": 32768,
///    "cost": {"step_us": 0, "pass_us": 6700, "prefill_token_us": 885, "prefill_context_us": 430,
///             "decode_us": 1650, "decode_context_us": 1000, "copied_token_us": 8},
///    "modes": {"q8_0": {… as cost …}}}
/// `pool_tokens` and `modes` may be missing; every number is finite and ≥ 0, counts are ≥ 1.
/// Errors: kUsage for a bad SPEC, kIo for a file that cannot be read or is not a profile.
Result<SimOptions> parse_sim_spec(std::string_view spec);

}  // namespace switchyard::engine
