#pragma once

#include <string_view>

#include "router/decision.h"
#include "router/features.h"

namespace switchyard::router {

/// Chooses a mode for a request before it starts. A decision is a function of its arguments, but
/// for `random`, whose state is its seed's. decide() does not allocate. Not thread safe unless an
/// implementation says so.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual Decision decide(const Features& features, const LoadSnapshot& load) = 0;
};

}  // namespace switchyard::router
