#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "workload/arrivals.h"
#include "workload/session.h"
#include "workload/synthetic_workload.h"

namespace switchyard::commands {

/// What `bench serve` sends, settled from its options and data.
struct BenchServePlan {
  std::unique_ptr<workload::Workload> workload;
  workload::SyntheticWorkload* synthetic = nullptr;  ///< `workload`, where its prompts are made up
  std::optional<workload::Arrivals> arrivals;        ///< none: closed loop
  std::string data;                                  ///< file that was read; empty = none
  std::string arrival;                               ///< settled kind
  std::vector<std::string> notes;                    ///< what was skipped, cut or changed
};

Result<BenchServePlan> plan_bench_serve(const config::Settings& settings);

}  // namespace switchyard::commands
