#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace switchyard::calibration {

/// One measured time as a sum of terms with unknown coefficients. Precondition: value > 0.
struct FitRow {
  std::array<double, 4> terms = {};  ///< unused terms are 0 in every row
  double value = 0;
};

struct Fit {
  std::array<double, 4> coefficients = {};
  double error = 0;  ///< largest relative error over the rows, outliers included
};

/// Coefficients ≥ 0 (costs cannot be negative) by least squares of the *relative* errors, so that a
/// short step counts as much as a long one. Rows far off the others lose their weight (iterated
/// Cauchy weights). With fewer independent rows than terms, the unneeded coefficients are 0.
Fit fit_nonnegative(std::span<const FitRow> rows);

struct PrefillPoint {
  std::int32_t new_tokens = 0;
  std::int32_t context = 0;
  double ms = 0;
};

/// Coefficients {pass, pass_context, token, attention} of ModeCosts's prefill formula.
Fit fit_prefill(std::span<const PrefillPoint> points, std::int32_t chunk_tokens);

}  // namespace switchyard::calibration
