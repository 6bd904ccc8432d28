#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace switchyard::workload {

/// Draws that are the same on every standard library (its distributions are not). Not thread safe.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in 0 … bound − 1. Precondition: bound ≥ 1.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    std::uint64_t draw = engine_();
    while (draw >= limit) draw = engine_();
    return draw % bound;
  }

  /// Exponential with mean 1.
  double exponential() {
    const double uniform = static_cast<double>(engine_() >> 11) * 0x1.0p-53;  // [0, 1)
    return -std::log1p(-uniform);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace switchyard::workload
