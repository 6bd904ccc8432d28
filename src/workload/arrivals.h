#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "workload/trace.h"

namespace switchyard::workload {

/// When sessions arrive, in seconds after the start, ascending.
using Arrivals = std::vector<double>;

/// One every 1 / rate seconds, the first at 0. kUsage unless `rate` is finite and > 0.
Result<Arrivals> constant_arrivals(std::size_t count, double rate);

/// A Poisson process of `rate` per second; the same for the same seed. kUsage as above.
Result<Arrivals> poisson_arrivals(std::size_t count, double rate, std::uint64_t seed);

/// The rows' own times, run `speed` times as fast. kUsage unless `speed` is finite and > 0.
Result<Arrivals> trace_arrivals(std::span<const TraceRow> rows, double speed);

}  // namespace switchyard::workload
