#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/request_body.h"
#include "client/request_record.h"
#include "client/url.h"
#include "workload/arrivals.h"
#include "workload/session.h"

namespace switchyard::client {

struct LoadProgress {
  std::int64_t finished = 0;
  std::int64_t failed = 0;
  std::int64_t total = 0;
  double seconds = 0;
};

struct LoadOptions {
  Url url;
  std::string api_key;  ///< empty: no Authorization header
  BodyOptions body;
  std::size_t concurrency = 0;                           ///< most sessions at once; 0 = no limit
  double timeout_seconds = 600;                          ///< of one request, from its dispatch
  std::function<void(const LoadProgress&)> on_progress;  ///< twice a second; may be empty
};

struct LoadRun {
  std::vector<RequestRecord> records;  ///< in the order of their end
  double seconds = 0;                  ///< from the start to the last end
  std::int64_t not_sent = 0;           ///< left over by an interrupt
  bool interrupted = false;
};

/// Sends the workload's sessions on the calling thread and blocks until the last one has ended, or
/// SIGINT or SIGTERM came (a second one ends the process). Without `arrivals` the loop is closed: a
/// session starts as soon as `concurrency` allows, and that is its planned time. With them (one per
/// session) a session is planned for its arrival. A later turn is planned for the end of the one
/// before. One connection per request; nothing is sent twice. kIo if the host has no address.
Result<LoadRun> run_load(const workload::Workload& workload,
                         const std::optional<workload::Arrivals>& arrivals,
                         const LoadOptions& options);

}  // namespace switchyard::client
