#include "router/cost.h"

namespace switchyard::router {

double expected_tokens(double alpha, std::int32_t draft_tokens) {
  double sum = 1;
  double power = 1;
  for (std::int32_t i = 0; i < draft_tokens; ++i) sum += power *= alpha;
  return sum;
}

}  // namespace switchyard::router
