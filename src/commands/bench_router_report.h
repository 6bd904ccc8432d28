#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace switchyard::commands {

/// Microseconds of single calls, less the median of the timer's own.
struct CallTimes {
  double p50_us = 0;
  double p99_us = 0;
  double mean_us = 0;  ///< of calls in a row, without a timer between them
};

struct PolicyTimes {
  std::string policy;
  CallTimes decision;
};

struct BenchRouterReport {
  std::string source;  ///< of the costs
  std::vector<std::string> weights;
  std::size_t decisions = 0;
  std::size_t table_bytes = 0;
  double compile_ms = 0;
  CallTimes timer;                    ///< a call that does nothing; nothing subtracted
  std::vector<PolicyTimes> policies;  ///< `rules` first
  CallTimes rules_with_lookup;        ///< a 4,096-token prefix found, then decided
  CallTimes text_features;            ///< class of a text of 4,000 characters
  CallTimes copy_feature;             ///< repeated share of 4,096 tokens
};

std::string render_table(const BenchRouterReport& report);

/// Schema switchyard.bench_router.v1 (docs/route.md); `decision_us` is that of `rules`.
std::string render_json(const BenchRouterReport& report);

}  // namespace switchyard::commands
