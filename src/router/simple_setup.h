#pragma once

#include <optional>
#include <string>

#include "router/router_setup.h"

namespace switchyard::router {

/// Costs for tests that are easy to add up: a prompt token takes `token_ms`, a step of b sequences
/// lone_ms + (b − 1) × further_ms at any context, r(n) is 1 + (n − 1) / 4, restoring is free.
inline calibration::ModeCosts simple_costs(double token_ms, double lone_ms, double further_ms) {
  calibration::ModeCosts costs;
  costs.prefill_token_ms = token_ms;
  costs.decode_batches = {1, 32};
  costs.decode_contexts = {0};
  costs.decode_table_ms = {lone_ms, lone_ms + 31 * further_ms};
  costs.verify_ratios = {{1, 1}, {17, 5}};
  costs.restore_fixed_ms = 0;
  costs.restore_token_ms = 0;
  costs.kv_bytes_per_token = 1000;
  return costs;
}

inline LaneQuality same_quality(double top1, double kl, std::optional<double> accuracy = {}) {
  LaneQuality quality;
  quality.by_class.fill(Quality{top1, kl, accuracy});
  return quality;
}

/// As on the CPU: `bf16` is the reference, with the cheaper prompt and the cheaper further
/// sequence; `q8_0` is cheaper alone and passes the balanced floors, `q4_0` is cheapest alone and
/// only passes the fast ones.
inline RouterSetup simple_setup() {
  RouterSetup setup;
  setup.lanes.push_back({.weights = "bf16", .costs = simple_costs(1, 8, 2)});
  setup.lanes.push_back({.weights = "q8_0",
                         .costs = simple_costs(1.5, 6, 4),
                         .quality = same_quality(0.97, 0.004, -0.4)});
  setup.lanes.push_back({.weights = "q4_0",
                         .costs = simple_costs(1.25, 5, 3),
                         .quality = same_quality(0.88, 0.06, -0.7)});
  setup.draft = false;
  return setup;
}

}  // namespace switchyard::router
