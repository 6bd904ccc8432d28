#include "speculation/loss_budget.h"

#include <algorithm>

namespace switchyard::speculation {

void LossBudget::add(std::int32_t emitted, double cost_steps) {
  steps_ = std::min(steps_ + emitted - cost_steps + options_.per_step, options_.most);
}

}  // namespace switchyard::speculation
