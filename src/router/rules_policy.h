#pragma once

#include <memory>

#include "router/decision_table.h"
#include "router/policy.h"

namespace switchyard::router {

/// The cheapest candidate that is not ruled out; the reference if it is as cheap within the margin.
/// Of equal costs the first. If all are ruled out, the reference, plainly,
/// without an estimate.
Decision choose_cheapest(const Assessment& assessment, double reference_margin);

/// The default policy. Thread safe.
class RulesPolicy : public Policy {
 public:
  explicit RulesPolicy(std::shared_ptr<const DecisionTable> table) : table_(std::move(table)) {}
  Decision decide(const Features& features, const LoadSnapshot& load) override;

 private:
  std::shared_ptr<const DecisionTable> table_;
};

}  // namespace switchyard::router
