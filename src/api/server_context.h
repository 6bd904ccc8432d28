#pragma once

#include <atomic>
#include <cstddef>

#include "api/activity.h"
#include "api/byte_budget.h"
#include "api/endpoints.h"
#include "api/server_options.h"
#include "api/work_pool.h"

namespace switchyard::api {

/// What the connections of a server share.
struct ServerContext {
  const ServerOptions options;
  const Endpoints endpoints;
  Activity activity{};
  std::atomic<std::size_t> connections{0};
  ByteBudget body_bytes{options.max_total_body_bytes};
  WorkPool long_bodies{};
};

}  // namespace switchyard::api
