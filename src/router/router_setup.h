#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "calibration/calibration.h"
#include "router/features.h"
#include "router/quality.h"

namespace switchyard::router {

/// One loaded set of weights.
struct Lane {
  std::string weights;  ///< as in core::LaneInfo: "bf16", "q8_0", …
  calibration::ModeCosts costs = {};
  LaneQuality quality = {};
  std::int32_t streams = 16;         ///< sequences at once
  std::int32_t capacity_tokens = 0;  ///< most tokens of one sequence; 0: no bound
};

/// All that decisions are compiled from.
struct RouterSetup {
  std::vector<Lane> lanes;  ///< 1 … kMaxLanes, the reference first
  bool prefix_reuse = true;
  bool ngram = true;
  bool draft = true;

  /// α of n-gram drafts by class, where a match was found; replace it as it is measured.
  std::array<double, kRequestClasses> ngram_acceptance = {0.8, 0.8, 0.8, 0.8, 0.8, 0.8};
  /// α of the drafting lane where its agreement with the reference is not measured: under greedy
  /// sampling a draft is accepted when both lanes agree on the most likely token.
  double draft_acceptance = 0.7;

  double speculation_margin = 0.05;  ///< gain below this is within the error of the estimates
  double max_slowdown = 0.10;        ///< of a neighbour's token gap by speculation
  /// The reference is taken if it costs at most this share more than the cheapest mode.
  double reference_margin = 0.01;
};

}  // namespace switchyard::router
