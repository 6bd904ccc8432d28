#include "router/decision_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "router/simple_setup.h"

namespace switchyard::router {
namespace {

DecisionTable compiled(RouterSetup setup) {
  auto table = DecisionTable::compile(std::move(setup));
  EXPECT_TRUE(table);
  return *std::move(table);
}

Candidate find(const DecisionTable& table, const char* mode, const Features& features,
               const LoadSnapshot& load = {}) {
  Assessment assessment;
  table.assess(features, load, assessment);
  for (const Candidate& candidate : assessment.candidates()) {
    if (table.name_of(candidate.mode) == mode) return candidate;
  }
  ADD_FAILURE() << mode << " is no candidate";
  return {};
}

Features request(std::int32_t prompt, std::int32_t output) {
  return {.prompt_tokens = prompt, .output = exact_length(output)};
}

TEST(DecisionTable, AloneCostsPrefillAndDecode) {
  const DecisionTable table = compiled(simple_setup());
  EXPECT_NEAR(find(table, "bf16", request(100, 50)).cost.total_ms(), 100 + 50 * 8, 1e-3);
  EXPECT_NEAR(find(table, "q8_0", request(100, 50)).cost.total_ms(), 150 + 50 * 6, 1e-3);
}

// 4 run on bf16: its round is 14 ms. There: 100 + 1 × 14 + 50 × 16 and others 4 × (100 + 50 × 2).
// On q8_0: 150 + 14 + 50 × (14 + 6), others 4 × (150 + 50 × 6).
TEST(DecisionTable, LoadMakesCostsMarginal) {
  const DecisionTable table = compiled(simple_setup());
  LoadSnapshot load;
  load.lanes[0].running = 4;
  const Cost beside = find(table, "bf16", request(100, 50), load).cost;
  EXPECT_NEAR(beside.own_ms(), 100 + 14 + 800, 1e-3);
  EXPECT_NEAR(beside.neighbours_ms, 800, 1e-3);
  const Cost apart = find(table, "q8_0", request(100, 50), load).cost;
  EXPECT_NEAR(apart.own_ms(), 150 + 14 + 1000, 1e-3);
  EXPECT_NEAR(apart.neighbours_ms, 4 * 450, 1e-3);
}

// 16 streams are full and 2 wait: third in the queue, in rounds of 8 + 15 × 2 = 38 ms.
TEST(DecisionTable, AFullLaneMakesTheRequestWait) {
  const DecisionTable table = compiled(simple_setup());
  LoadSnapshot load;
  load.lanes[0] = {.running = 16, .waiting = 2};
  EXPECT_NEAR(find(table, "bf16", request(100, 50), load).cost.wait_ms, 3 * 50 * 38 / 16.0, 1e-3);
}

TEST(DecisionTable, APrefixIsReusedWhereThatSavesTime) {
  RouterSetup setup = simple_setup();
  setup.lanes[1].costs.restore_fixed_ms = 1e6;
  const DecisionTable table = compiled(setup);
  Features features = request(1000, 50);
  features.shared_prefix_tokens = {960, 960};
  EXPECT_NEAR(find(table, "bf16+prefix", features).cost.prefill_ms, 40, 1e-3);
  EXPECT_NEAR(find(table, "q8_0", features).cost.prefill_ms, 1500, 1e-3);
}

TEST(DecisionTable, PrefixReuseCanBeSwitchedOff) {
  RouterSetup setup = simple_setup();
  setup.prefix_reuse = false;
  Features features = request(1000, 50);
  features.shared_prefix_tokens = {960};
  EXPECT_NEAR(find(compiled(setup), "bf16", features).cost.prefill_ms, 1000, 1e-3);
}

// α = 1 and r(16) = 4.75: 16 tokens for 4.75 steps.
TEST(DecisionTable, NgramGainFollowsTheGate) {
  RouterSetup setup = simple_setup();
  setup.ngram_acceptance.fill(1);
  const DecisionTable table = compiled(setup);
  Features features = request(100, 50);
  features.copy_ratio = 1;
  const Candidate copying = find(table, "bf16+ngram", features);
  EXPECT_EQ(copying.ruled_out, RuledOut::kNo);
  EXPECT_EQ(copying.draft_tokens, 15);
  EXPECT_NEAR(copying.gain, 16 / 4.75, 1e-3);
  EXPECT_NEAR(copying.cost.decode_ms, 50 * 8 * 4.75 / 16, 1e-2);
}

TEST(DecisionTable, NothingToCopyIsNotFaster) {
  const DecisionTable table = compiled(simple_setup());
  EXPECT_EQ(find(table, "bf16+ngram", request(100, 50)).ruled_out, RuledOut::kNotFaster);
}

TEST(DecisionTable, SpeculationMayNotSlowOtherLanesEither) {
  RouterSetup setup = simple_setup();
  setup.ngram_acceptance.fill(1);
  const DecisionTable table = compiled(setup);
  Features features = request(100, 50);
  features.copy_ratio = 1;
  LoadSnapshot load;
  load.lanes[1].running = 1;
  EXPECT_EQ(find(table, "bf16+ngram", features, load).ruled_out, RuledOut::kSlowsNeighbours);
}

TEST(DecisionTable, SpeculationThatNeverPaysIsNoCandidate) {
  RouterSetup setup = simple_setup();
  setup.ngram_acceptance.fill(0.1);
  const DecisionTable table = compiled(setup);
  EXPECT_FALSE(table.offers(0, Speculation::kNgram));
  Assessment assessment;
  table.assess(request(100, 50), {}, assessment);
  EXPECT_EQ(assessment.candidates().size(), 3U);
}

// q4_0 drafts at 1 ms for steps of 20: γ up to 15, α 0.88. Its prefill is 1,250 ms.
TEST(DecisionTable, ADraftingLaneMustPayBackItsPrefill) {
  RouterSetup setup = simple_setup();
  setup.draft = true;
  setup.lanes[0].costs = simple_costs(1, 20, 2);
  setup.lanes[2].costs = simple_costs(1.25, 1, 1);
  const DecisionTable table = compiled(setup);
  ASSERT_EQ(table.drafter(), 2U);
  EXPECT_EQ(find(table, "bf16+draft", request(1000, 1000)).ruled_out, RuledOut::kNo);
  EXPECT_EQ(find(table, "bf16+draft", request(1000, 20)).ruled_out, RuledOut::kDraftNotPaidBack);
  EXPECT_FALSE(table.offers(1, Speculation::kDraft));
}

TEST(DecisionTable, RulesOutWhatDoesNotFit) {
  RouterSetup setup = simple_setup();
  setup.lanes[1].capacity_tokens = 120;
  const DecisionTable table = compiled(setup);
  LoadSnapshot load;
  load.lanes[0].free_kv_tokens = 100;
  EXPECT_EQ(find(table, "bf16", request(100, 50), load).ruled_out, RuledOut::kNoMemory);
  EXPECT_EQ(find(table, "q8_0", request(100, 50), load).ruled_out, RuledOut::kTooLong);
  EXPECT_EQ(find(table, "q8_0", request(100, 20), load).ruled_out, RuledOut::kNo);
}

TEST(DecisionTable, KeepsTheVerdictOfEachLane) {
  const DecisionTable table = compiled(simple_setup());
  const Candidate q4 = find(table, "q4_0", request(100, 50));
  EXPECT_EQ(q4.ruled_out, RuledOut::kQuality);
  EXPECT_EQ(q4.verdict, Verdict::kAgreementLow);
}

TEST(DecisionTable, AllowedCandidatesAreThoseNotRuledOut) {
  const DecisionTable table = compiled(simple_setup());
  Features features = request(100, 200);
  for (const float copy_ratio : {0.0F, 0.5F, 1.0F}) {
    features.copy_ratio = copy_ratio;
    Assessment all;
    Assessment allowed;
    table.assess(features, {}, all);
    table.assess_allowed(features, {}, allowed);
    std::vector<std::string> expected;
    std::vector<std::string> got;
    for (const Candidate& c : all.candidates()) {
      if (c.ruled_out == RuledOut::kNo) expected.push_back(table.name_of(c.mode));
    }
    for (const Candidate& c : allowed.candidates()) got.push_back(table.name_of(c.mode));
    EXPECT_EQ(got, expected);
  }
}

TEST(DecisionTable, EqualSetupsDecideEqually) {
  const DecisionTable first = compiled(simple_setup());
  const DecisionTable second = compiled(simple_setup());
  EXPECT_EQ(first.bytes(), second.bytes());
  for (std::int32_t prompt = 1; prompt < 4000; prompt = prompt * 3 / 2 + 1) {
    for (std::int32_t output = 1; output < 2000; output = output * 2) {
      Assessment a;
      Assessment b;
      LoadSnapshot load;
      load.lanes[0].running = prompt % 20;
      first.assess(request(prompt, output), load, a);
      second.assess(request(prompt, output), load, b);
      ASSERT_EQ(a.candidates().size(), b.candidates().size());
      for (std::size_t i = 0; i < a.candidates().size(); ++i) {
        EXPECT_EQ(a.candidates()[i].cost.total_ms(), b.candidates()[i].cost.total_ms());
      }
    }
  }
}

TEST(DecisionTable, RefusesSetupsThatDoNotFit) {
  RouterSetup twice = simple_setup();
  twice.lanes[1].weights = "bf16";
  RouterSetup many = simple_setup();
  while (many.lanes.size() <= kMaxLanes) many.lanes.push_back(many.lanes[0]);
  RouterSetup unmeasured = simple_setup();
  unmeasured.lanes[2].costs = {};
  for (const RouterSetup& setup : {RouterSetup{}, twice, many, unmeasured}) {
    const auto table = DecisionTable::compile(setup);
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().code, ErrorCode::kUsage);
  }
}

TEST(DecisionTable, StepTimesAreTheCalibrations) {
  calibration::ModeCosts costs = simple_costs(1, 8, 2);
  costs.decode_contexts = {0, 512, 2048};
  costs.decode_table_ms = {8, 9, 14, 70, 100, 180};
  const StepTable steps(costs, 32);
  for (const std::int32_t batch : {1, 2, 7, 16, 32}) {
    for (const float context : {0.0F, 100.0F, 512.0F, 700.0F, 2000.0F, 4000.0F, 60'000.0F}) {
      const double exact = calibration::decode_ms(costs, batch, context);
      EXPECT_NEAR(steps.step_ms(batch, context), exact, exact * 1e-4) << batch << " " << context;
    }
  }
  EXPECT_EQ(steps.step_ms(0, 512), 0);
  EXPECT_EQ(steps.step_ms(1000, 512), steps.step_ms(32, 512));
}

}  // namespace
}  // namespace switchyard::router
