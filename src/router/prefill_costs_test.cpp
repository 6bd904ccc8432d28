#include "router/prefill_costs.h"

#include <gtest/gtest.h>

#include "router/simple_setup.h"

namespace switchyard::router {
namespace {

TEST(PrefillCosts, AreTheCalibrations) {
  calibration::ModeCosts costs = simple_costs(0.7, 8, 1);
  costs.prefill_pass_ms = 5;
  costs.prefill_pass_context_ms = 0.002;
  costs.prefill_attention_ms = 0.0003;
  costs.prefill_chunk_tokens = 96;
  costs.restore_fixed_ms = 2;
  costs.restore_token_ms = 0.01;
  const PrefillCosts compiled(costs);
  for (const std::int32_t prompt : {1, 2, 95, 96, 97, 500, 2048, 30'000}) {
    const double exact = calibration::prefill_ms(costs, prompt, 0);
    EXPECT_NEAR(compiled.plain(prompt).ms, exact, exact * 1e-5) << prompt;
    EXPECT_EQ(compiled.plain(prompt).passes, (prompt + 95) / 96) << prompt;
    const std::int32_t shared = prompt / 2;
    const double rest = *calibration::restore_ms(costs, shared) +
                        calibration::prefill_ms(costs, prompt - shared, shared);
    EXPECT_NEAR(compiled.shared(prompt, shared).ms, rest, rest * 1e-5) << prompt;
  }
}

TEST(PrefillCosts, ASharedPrefixLeavesAtLeastOneToken) {
  calibration::ModeCosts costs = simple_costs(2, 8, 1);
  costs.restore_fixed_ms = 3;
  const PrefillCosts compiled(costs);
  EXPECT_FLOAT_EQ(compiled.plain(100).ms, 200);
  EXPECT_FLOAT_EQ(compiled.shared(100, 60).ms, 3 + 80);
  EXPECT_FLOAT_EQ(compiled.shared(100, 100).ms, 3 + 2);
}

TEST(PrefillCosts, AnUnmeasuredRestoreIsACopy) {
  calibration::ModeCosts costs = simple_costs(2, 8, 1);
  costs.restore_fixed_ms.reset();
  EXPECT_FLOAT_EQ(PrefillCosts(costs).shared(1000, 500).ms, 0.5 + 1000);  // 500 kB at 1 GB/s
}

}  // namespace
}  // namespace switchyard::router
