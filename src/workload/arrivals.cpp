#include "workload/arrivals.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "workload/random.h"

namespace switchyard::workload {
namespace {

Result<void> require_positive(double value, std::string_view option) {
  if (std::isfinite(value) && value > 0) return {};
  return Error{ErrorCode::kUsage, fmt::format("{} must be a number above 0, not {}", option, value),
               std::string(option)};
}

}  // namespace

Result<Arrivals> constant_arrivals(std::size_t count, double rate) {
  if (auto checked = require_positive(rate, "--rate"); !checked) return checked.error();
  Arrivals arrivals(count);
  for (std::size_t i = 0; i < count; ++i) arrivals[i] = static_cast<double>(i) / rate;
  return arrivals;
}

Result<Arrivals> poisson_arrivals(std::size_t count, double rate, std::uint64_t seed) {
  if (auto checked = require_positive(rate, "--rate"); !checked) return checked.error();
  Random random(seed);
  Arrivals arrivals(count);
  double now = 0;
  for (auto& arrival : arrivals) {
    now += random.exponential() / rate;
    arrival = now;
  }
  return arrivals;
}

Result<Arrivals> trace_arrivals(std::span<const TraceRow> rows, double speed) {
  if (auto checked = require_positive(speed, "--speed"); !checked) return checked.error();
  Arrivals arrivals;
  arrivals.reserve(rows.size());
  for (const auto& row : rows) arrivals.push_back(row.arrival_seconds / speed);
  return arrivals;
}

}  // namespace switchyard::workload
