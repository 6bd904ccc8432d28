#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/settings.h"
#include "router/decision_table.h"
#include "router/features.h"

namespace switchyard::commands {

/// A request as `route` sees it: from text alone, without a tokenizer or a predictor.
struct RouteRequest {
  std::size_t characters = 0;
  std::int32_t max_tokens = 0;
  bool output_assumed = true;  ///< the length that is usual for the class
  bool asks_to_copy = false;
  double repeated = 0;  ///< share of the prompt's word 3-grams
  router::Features features;
  router::LoadSnapshot load;
};

/// From --prompt or --prompt-file and the options beside it. Error: kUsage or kIo, one line.
Result<RouteRequest> read_route_request(const config::Settings& settings,
                                        const router::DecisionTable& table);

/// About 4 bytes a token, at least one.
std::int32_t estimated_tokens(std::string_view text);

/// Output length that is usual for a class, cut at `max_tokens`.
router::LengthDistribution assumed_output(router::RequestClass request_class,
                                          std::int32_t max_tokens);

}  // namespace switchyard::commands
