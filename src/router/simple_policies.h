#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "router/decision_table.h"
#include "router/policy.h"

namespace switchyard::router {

/// Always the same mode, whatever its quality: the client or the operator asked for it. Thread
/// safe.
class FixedPolicy : public Policy {
 public:
  explicit FixedPolicy(Mode mode) : mode_(mode) {}
  Decision decide(const Features& /*features*/, const LoadSnapshot& /*load*/) override {
    return {mode_, Reason::kFixed};
  }

 private:
  Mode mode_;
};

/// Any mode that is not ruled out, with equal probability. The same seed gives the same sequence.
class RandomPolicy : public Policy {
 public:
  RandomPolicy(std::shared_ptr<const DecisionTable> table, std::uint64_t seed)
      : table_(std::move(table)), state_(seed) {}
  Decision decide(const Features& features, const LoadSnapshot& load) override;

 private:
  std::uint64_t draw();

  std::shared_ptr<const DecisionTable> table_;
  std::uint64_t state_;
};

/// What one mode cost when the request was really run in it.
struct RealisedCost {
  Mode mode = {};
  double ms = 0;
  bool eligible = true;  ///< keeps the request's quality
};

/// The eligible mode of least cost, the first of equals. Empty if there is none.
std::optional<Decision> choose_least_realised(std::span<const RealisedCost> costs);

}  // namespace switchyard::router
