#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "router/length_distribution.h"
#include "router/request_class.h"

namespace switchyard::router {

inline constexpr std::size_t kMaxLanes = 8;

/// How far an answer may be from the reference's (design section 7).
enum class Demand : std::uint8_t { kExact, kBalanced, kFast };
inline constexpr std::size_t kDemands = 3;
inline constexpr std::array<std::string_view, kDemands> kDemandNames = {"exact", "balanced",
                                                                        "fast"};

/// All that a policy knows of a request.
struct Features {
  std::int32_t prompt_tokens = 1;
  /// Of the prompt, found in each lane's memory.
  std::array<std::int32_t, kMaxLanes> shared_prefix_tokens = {};
  LengthDistribution output = {};  ///< cut at max_tokens
  RequestClass request_class = RequestClass::kChat;
  Demand demand = Demand::kBalanced;
  float copy_ratio = 0;   ///< see router/copy_ratio.h
  bool greedy = false;    ///< temperature 0
  bool logprobs = false;  ///< the client asked for log-probabilities
};

struct LaneLoad {
  std::int32_t running = 0;
  std::int32_t waiting = 0;
  std::int64_t free_kv_tokens = INT64_MAX;  ///< that a new sequence may take
  float mean_context_tokens = 0;            ///< of the running sequences
};

/// What runs at the time of the decision; of lanes that are not loaded nothing is read.
struct LoadSnapshot {
  std::array<LaneLoad, kMaxLanes> lanes = {};
};

}  // namespace switchyard::router
