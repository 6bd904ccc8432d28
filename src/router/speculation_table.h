#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "router/request_class.h"
#include "router/step_table.h"

namespace switchyard::router {

/// Why a cell speculates, or not.
enum class SpeculationGate : std::uint8_t { kPays, kNotFaster, kSlowsNeighbours };

/// What to draft in one situation.
struct SpeculationCell {
  float tokens = 1;               ///< a verification is expected to emit
  float verify_ratio = 1;         ///< r(γ+1)
  std::uint8_t draft_tokens = 0;  ///< γ
  SpeculationGate gate = SpeculationGate::kNotFaster;
};

struct SpeculationTableOptions {
  std::array<double, kRequestClasses> acceptance = {};  ///< α by class
  double margin = 0.05;
  double max_slowdown = 0.10;
};

/// One kind of speculation on one lane, compiled: for each class, number of sequences that decode
/// beside the request (0 … 15, 16 and more) and octave of context the draft length of 1 … 15 with
/// the largest gain, as if all tokens came from verifications and other lanes were idle.
class SpeculationTable {
 public:
  static constexpr std::int32_t kMaxBeside = 16;
  static constexpr std::int32_t kMaxDraftTokens = 15;

  /// `drafter`: the lane that makes the drafts; null if they cost nothing.
  SpeculationTable(const calibration::ModeCosts& costs, const calibration::ModeCosts* drafter,
                   const SpeculationTableOptions& options);

  const SpeculationCell& cell(RequestClass request_class, std::int32_t beside,
                              float context_tokens) const {
    const auto row = static_cast<std::size_t>(request_class) * (kMaxBeside + 1) +
                     static_cast<std::size_t>(std::min(beside, kMaxBeside));
    return cells_[row * kContextOctaves + context_octave(context_tokens)];
  }

  /// False if no cell pays: the mode is then no candidate and costs nothing.
  bool ever_pays() const;
  std::size_t bytes() const { return cells_.size() * sizeof(SpeculationCell); }

 private:
  std::vector<SpeculationCell> cells_;  ///< [class][beside][octave]
};

}  // namespace switchyard::router
