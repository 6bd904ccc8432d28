#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "router/decision_table.h"
#include "router/logistic.h"
#include "router/policy.h"

namespace switchyard::router {

/// What the learned policy sees: logarithms of lengths and loads, shares, and one input per class.
inline constexpr std::size_t kLearnedInputs = 6 + kRequestClasses + kMaxLanes + 1;
std::array<float, kLearnedInputs> learned_inputs(const Features& features,
                                                 const LoadSnapshot& load);

/// One request whose cheapest mode is known, e.g. from the oracle.
struct LabelledRequest {
  Features features;
  LoadSnapshot load;
  Mode cheapest;
};

/// Logistic regression over the modes of a table, as the comparison the paper makes. Unlike the
/// published one it keeps the quality guard. Thread safe.
class LearnedPolicy : public Policy {
 public:
  LearnedPolicy(std::shared_ptr<const DecisionTable> table,
                std::span<const LabelledRequest> examples);
  Decision decide(const Features& features, const LoadSnapshot& load) override;

 private:
  static constexpr std::size_t kLabels = 3 * kMaxLanes;

  std::shared_ptr<const DecisionTable> table_;
  Logistic model_;
};

}  // namespace switchyard::router
