#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "router/assessment.h"
#include "router/prefill_costs.h"
#include "router/router_setup.h"
#include "router/speculation_table.h"
#include "router/step_table.h"

namespace switchyard::router {

/// Calibration, quality and loaded modes, compiled for decisions (see src/router/README.md for
/// axes, edges and sizes). Immutable, so thread safe; equal setups give equal tables. Compiling
/// takes about a millisecond a lane: compile again when quality or acceptance change.
class DecisionTable {
 public:
  /// Errors: kUsage for no or too many lanes, for two of one name, and for a lane without costs.
  static Result<DecisionTable> compile(RouterSetup setup);

  /// What each mode would cost. No allocation. Lanes and counts outside their range are clamped.
  void assess(const Features& features, const LoadSnapshot& load, Assessment& out) const {
    assess(features, load, Scope::kAll, out);
  }
  /// The same without the candidates that are ruled out.
  void assess_allowed(const Features& features, const LoadSnapshot& load, Assessment& out) const {
    assess(features, load, Scope::kAllowed, out);
  }

  const RouterSetup& setup() const { return setup_; }
  std::span<const std::string> weights() const { return weights_; }
  std::string name_of(const Mode& mode) const { return mode_name(mode, weights_); }
  /// The lane that drafts for others, if there is one whose lone step is cheapest by far.
  std::optional<std::size_t> drafter() const { return drafter_; }
  /// Whether a lane's requests may speculate; if not, that never pays or is switched off.
  bool offers(std::size_t lane, Speculation speculation) const;
  Verdict verdict(std::size_t lane, const Features& features) const {
    return lanes_[lane].verdicts[verdict_index(features)];
  }
  std::size_t bytes() const;

 private:
  static constexpr std::size_t kVerdictCells = kRequestClasses * kDemands * 2;
  static std::size_t verdict_index(const Features& features) {
    return (static_cast<std::size_t>(features.request_class) * kDemands +
            static_cast<std::size_t>(features.demand)) *
               2 +
           (features.logprobs ? 1 : 0);
  }

  struct CompiledLane {
    std::int32_t streams;
    float capacity_tokens;
    PrefillCosts prefill;
    StepTable steps;
    std::optional<SpeculationTable> ngram = {};
    std::optional<SpeculationTable> draft = {};
    std::array<Verdict, kVerdictCells> verdicts = {};
  };
  /// What runs on the device, the request aside.
  struct Device {
    std::array<std::int32_t, kMaxLanes> running = {};
    std::array<float, kMaxLanes> step_ms = {};
    float round_ms = 0;
    std::int32_t sequences = 0;
  };
  /// A request and the means of its length distribution.
  struct Query {
    const Features& features;
    float output_tokens;   ///< expected
    float context_tokens;  ///< on average while it decodes
    float needed_tokens;   ///< prompt and P90 output
  };
  /// A lane as the request would find it.
  struct Visit {
    Round round = {};
    std::int32_t beside = 0;  ///< sequences of the lane that decode beside the request
    Cost without_decode = {};
  };
  enum class Scope : std::uint8_t { kAll, kAllowed };

  explicit DecisionTable(RouterSetup setup) : setup_(std::move(setup)) {}
  CompiledLane compile_lane(std::size_t lane) const;
  std::array<double, kRequestClasses> draft_acceptance() const;

  /// All it calls is inlined: a candidate that is built in registers is a fifth faster.
  [[gnu::flatten]] void assess(const Features& features, const LoadSnapshot& load, Scope scope,
                               Assessment& out) const;
  Device device_of(const LoadSnapshot& load) const;
  Visit visit(std::size_t lane, const Query& query, const LoadSnapshot& load,
              const Device& device) const;
  Candidate plain(std::size_t lane, const Query& query, const LaneLoad& load, Visit& visit) const;
  RuledOut fits(std::size_t lane, const Query& query, const LaneLoad& load) const;
  Candidate speculative(const Candidate& plain, Speculation kind, const Query& query,
                        const Visit& visit, Scope scope) const;
  bool slows_neighbours(const Visit& visit, const Verification& verification) const;
  RuledOut gate(const Candidate& candidate, const SpeculationCell& cell, const Query& query,
                const Visit& visit) const;
  PrefillCosts::Prefill draft_prefill(const Features& features) const;

  RouterSetup setup_;
  std::vector<std::string> weights_;
  std::optional<std::size_t> drafter_;
  std::vector<CompiledLane> lanes_;
};

}  // namespace switchyard::router
