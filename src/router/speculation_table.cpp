#include "router/speculation_table.h"

#include <algorithm>

#include "router/cost.h"

namespace switchyard::router {
namespace {

/// What the draft lengths of one cell are compared in.
struct Situation {
  Round round = {};
  double verify_ms = 0;  ///< of one token
  double draft_ms = 0;   ///< of one token
  double alpha = 0;
};

SpeculationCell choose(const calibration::ModeCosts& costs, const Situation& at,
                       const SpeculationTableOptions& options) {
  SpeculationCell best;
  double best_gain = 0;
  for (std::int32_t drafted = 1; drafted <= SpeculationTable::kMaxDraftTokens; ++drafted) {
    const double ratio = calibration::verify_ratio(costs, drafted + 1);
    const Verification verification = {
        .pass_ms = static_cast<float>(ratio * at.verify_ms + drafted * at.draft_ms),
        .tokens = static_cast<float>(expected_tokens(at.alpha, drafted))};
    const double gain = speculation_gain(at.round, verification);
    const bool slows = at.round.neighbours > 0 &&
                       speculation_slowdown(at.round, verification) > options.max_slowdown;
    const SpeculationGate gate = gain <= 1 + options.margin ? SpeculationGate::kNotFaster
                                 : slows                    ? SpeculationGate::kSlowsNeighbours
                                                            : SpeculationGate::kPays;
    const bool nearer = gate == SpeculationGate::kPays && best.gate != SpeculationGate::kPays;
    const bool farther = gate != SpeculationGate::kPays && best.gate == SpeculationGate::kPays;
    if (farther || (!nearer && gain <= best_gain)) continue;
    best_gain = gain;
    best = {verification.tokens, static_cast<float>(ratio), static_cast<std::uint8_t>(drafted),
            gate};
  }
  return best;
}

}  // namespace

SpeculationTable::SpeculationTable(const calibration::ModeCosts& costs,
                                   const calibration::ModeCosts* drafter,
                                   const SpeculationTableOptions& options) {
  cells_.reserve(kRequestClasses * (kMaxBeside + 1) * kContextOctaves);
  for (const double alpha : options.acceptance) {
    for (std::int32_t beside = 0; beside <= kMaxBeside; ++beside) {
      for (std::size_t octave = 0; octave < kContextOctaves; ++octave) {
        const double context = (octave_begin(octave) + octave_begin(octave + 1)) / 2;
        Situation at{.alpha = alpha};
        at.round.before_ms =
            beside == 0 ? 0 : static_cast<float>(calibration::decode_ms(costs, beside, context));
        at.round.plain_ms = static_cast<float>(calibration::decode_ms(costs, beside + 1, context));
        at.round.neighbours = static_cast<float>(beside);
        at.verify_ms = calibration::decode_ms(costs, 1, context);
        at.draft_ms = drafter == nullptr ? 0 : calibration::decode_ms(*drafter, 1, context);
        cells_.push_back(choose(costs, at, options));
      }
    }
  }
}

bool SpeculationTable::ever_pays() const {
  return std::any_of(cells_.begin(), cells_.end(), [](const SpeculationCell& cell) {
    return cell.gate == SpeculationGate::kPays;
  });
}

}  // namespace switchyard::router
