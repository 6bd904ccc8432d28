#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "router/decision_table.h"
#include "router/policy.h"

namespace switchyard::router {

/// "rules", "paper", "random", "random:SEED" or "fixed:MODE". (`learned` needs examples, `oracle`
/// realised costs: their owners make them.) Error: kUsage, one line that lists the choices.
Result<std::unique_ptr<Policy>> make_policy(std::string_view name,
                                            std::shared_ptr<const DecisionTable> table);

}  // namespace switchyard::router
