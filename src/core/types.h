#pragma once

#include <chrono>
#include <cstdint>

namespace switchyard::core {

using TokenId = std::int32_t;     ///< index into the model's vocabulary
using RequestId = std::uint64_t;  ///< one generated sequence; unique for the life of the process
using LaneId = std::int32_t;      ///< index into the engine's lanes
using StreamId = std::int32_t;    ///< KV stream (slot) inside a lane, 0 … n_streams − 1
using PrefixId = std::int64_t;    ///< a stored prefix of a lane; never used twice

/// Monotonic time. The simulator passes virtual time through the same type.
using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Duration = Clock::duration;

inline double to_seconds(Duration d) { return std::chrono::duration<double>(d).count(); }
inline double to_ms(Duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

}  // namespace switchyard::core
