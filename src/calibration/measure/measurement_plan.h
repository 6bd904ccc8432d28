#pragma once

#include <cstdint>
#include <vector>

namespace switchyard::calibration {

enum class What {
  kPrefill,  ///< `tokens` of one prompt in one step
  kDecode,   ///< one token of each of `batch` sequences
  kVerify,   ///< `tokens` of one sequence that is decoding
  kRestore,  ///< no step: `context` tokens copied from one stream to another
};

/// One kind of work to be timed, each sequence having `context` tokens before it.
struct Point {
  What what = What::kDecode;
  std::int32_t batch = 1;
  std::int32_t tokens = 1;  ///< per sequence
  std::int32_t context = 0;

  bool operator==(const Point&) const = default;
};

/// Points that are measured in turn, all modes interleaved, at one context: streams can be cut but
/// growing them again means to prefill, so phases go from the longest context to the shortest.
struct Phase {
  std::int32_t context = 0;
  std::vector<Point> points;
};

struct PlanLimits {
  std::int32_t streams = 1;          ///< of the lane
  std::int32_t capacity_tokens = 2;  ///< of a stream
  std::int32_t chunk_tokens = 512;   ///< most tokens of one step
};

struct MeasurementPlan {
  std::int32_t chunk_tokens = 1;  ///< the longest prefill measured
  std::vector<Phase> phases;      ///< before the first, every stream is filled to its context
};

MeasurementPlan plan_measurements(const PlanLimits& limits);

}  // namespace switchyard::calibration
