#pragma once

#include <cstdint>

namespace switchyard::speculation {

struct LossBudgetOptions {
  /// In plain steps. A failed first try of 5 tokens costs about 1.2 on the reference CPU.
  double at_start = 1.5;
  double per_step = 0.008;  ///< earned by every step
  double most = 6;          ///< past gains do not pay for longer than this
};

/// Bounds what speculation may cost a sequence: over any output of n tokens it loses at most
/// at_start + per_step × n plain steps against plain decoding (2 % of 128 tokens with the
/// defaults), given that the step costs are right. Not thread safe.
class LossBudget {
 public:
  explicit LossBudget(const LossBudgetOptions& options = {})
      : options_(options), steps_(options.at_start) {}

  /// A step that took `cost_steps` times the plain step emitted so many tokens for the sequence.
  void add(std::int32_t emitted, double cost_steps);
  /// What the next step may lose if it emits a single token.
  double steps() const { return steps_; }

 private:
  LossBudgetOptions options_;
  double steps_;
};

}  // namespace switchyard::speculation
