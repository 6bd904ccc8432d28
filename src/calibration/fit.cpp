#include "calibration/fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "calibration/calibration.h"
#include "calibration/samples.h"

namespace switchyard::calibration {
namespace {

constexpr std::size_t kTerms = 4;
constexpr int kReweightings = 30;
constexpr std::size_t kFewestToDoubt = 2 * kTerms;  ///< with fewer rows none can be told to be off
/// Of the normal distribution: standard deviations per median absolute deviation, and the width at
/// which Cauchy weights keep 95 % of the efficiency of plain least squares.
constexpr double kSigmaPerDeviation = 1.4826;
constexpr double kCauchyWidth = 2.385;
constexpr double kSingular = 1e-12;

using Vector = std::array<double, kTerms>;
using Matrix = std::array<Vector, kTerms>;

/// Gaussian elimination with pivoting; terms outside `mask` get 0. Empty: singular.
std::optional<Vector> solve(Matrix a, Vector b, unsigned mask) {
  for (std::size_t i = 0; i < kTerms; ++i) {
    if ((mask >> i & 1U) != 0) continue;
    for (std::size_t j = 0; j < kTerms; ++j) a[i][j] = a[j][i] = 0;
    a[i][i] = 1;
    b[i] = 0;
  }
  for (std::size_t column = 0; column < kTerms; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < kTerms; ++row) {
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    }
    if (std::abs(a[pivot][column]) < kSingular) return std::nullopt;
    std::swap(a[pivot], a[column]);
    std::swap(b[pivot], b[column]);
    for (std::size_t row = 0; row < kTerms; ++row) {
      if (row == column) continue;
      const double factor = a[row][column] / a[column][column];
      for (std::size_t j = column; j < kTerms; ++j) a[row][j] -= factor * a[column][j];
      b[row] -= factor * b[column];
    }
  }
  for (std::size_t i = 0; i < kTerms; ++i) b[i] /= a[i][i];
  return b;
}

double residual(const Vector& terms, const Vector& x) {
  return std::inner_product(terms.begin(), terms.end(), x.begin(), -1.0);
}

/// Rows divided by their values, columns by their largest entry: targets of 1, terms up to 1.
struct Scaled {
  std::vector<Vector> rows;
  Vector scale = {};
};

Scaled scaled(std::span<const FitRow> rows) {
  Scaled result;
  for (const FitRow& row : rows) {
    result.rows.push_back(row.terms);
    for (std::size_t i = 0; i < kTerms; ++i) {
      result.rows.back()[i] /= row.value;
      result.scale[i] = std::max(result.scale[i], result.rows.back()[i]);
    }
  }
  for (Vector& row : result.rows) {
    for (std::size_t i = 0; i < kTerms; ++i) {
      if (result.scale[i] > 0) row[i] /= result.scale[i];
    }
  }
  return result;
}

/// With four terms the non-negative solution is found by trying every subset of them.
Vector weighted_fit(const Scaled& problem, std::span<const double> weights) {
  Matrix normal = {};
  Vector right = {};
  for (std::size_t r = 0; r < problem.rows.size(); ++r) {
    const Vector& row = problem.rows[r];
    for (std::size_t i = 0; i < kTerms; ++i) {
      for (std::size_t j = 0; j < kTerms; ++j) normal[i][j] += weights[r] * row[i] * row[j];
      right[i] += weights[r] * row[i];
    }
  }
  Vector best = {};
  double least = std::numeric_limits<double>::infinity();
  for (unsigned mask = 1; mask < 1U << kTerms; ++mask) {
    const auto x = solve(normal, right, mask);
    if (!x || *std::min_element(x->begin(), x->end()) < 0) continue;
    double sum = 0;
    for (std::size_t r = 0; r < problem.rows.size(); ++r) {
      sum += weights[r] * std::pow(residual(problem.rows[r], *x), 2);
    }
    if (sum >= least) continue;
    least = sum;
    best = *x;
  }
  return best;
}

}  // namespace

Fit fit_nonnegative(std::span<const FitRow> rows) {
  const Scaled problem = scaled(rows);
  std::vector<double> weights(rows.size(), 1);
  std::vector<double> deviations(rows.size());
  Vector x = {};
  for (int round = 0; round < kReweightings; ++round) {
    x = weighted_fit(problem, weights);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      deviations[r] = std::abs(residual(problem.rows[r], x));
    }
    const double width = kCauchyWidth * kSigmaPerDeviation * median_of(deviations);
    if (rows.size() < kFewestToDoubt || width < kSingular) break;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      weights[r] = 1 / (1 + std::pow(deviations[r] / width, 2));
    }
  }
  Fit fit;
  for (std::size_t i = 0; i < kTerms; ++i) {
    fit.coefficients[i] = problem.scale[i] > 0 ? x[i] / problem.scale[i] : 0;
  }
  for (const double deviation : deviations) fit.error = std::max(fit.error, deviation);
  return fit;
}

Fit fit_prefill(std::span<const PrefillPoint> points, std::int32_t chunk_tokens) {
  std::vector<FitRow> rows;
  for (const PrefillPoint& point : points) {
    rows.push_back({prefill_terms(point.new_tokens, point.context, chunk_tokens), point.ms});
  }
  return fit_nonnegative(rows);
}

}  // namespace switchyard::calibration
