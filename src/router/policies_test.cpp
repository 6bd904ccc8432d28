#include "router/policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "router/paper_policy.h"
#include "router/rules_policy.h"
#include "router/simple_policies.h"
#include "router/simple_setup.h"

namespace switchyard::router {
namespace {

using Table = std::shared_ptr<const DecisionTable>;

Table compiled(RouterSetup setup) {
  auto table = DecisionTable::compile(std::move(setup));
  EXPECT_TRUE(table);
  return std::make_shared<const DecisionTable>(*std::move(table));
}

struct Case {
  const char* name;
  Features features;
  LoadSnapshot load;
  const char* mode;
  std::string_view rule;
};

Features request(std::int32_t prompt, std::int32_t output, Demand demand = Demand::kBalanced,
                 RequestClass request_class = RequestClass::kChat) {
  return {.prompt_tokens = prompt,
          .output = exact_length(output),
          .request_class = request_class,
          .demand = demand};
}

Features sharing(std::int32_t prompt, std::int32_t output, std::array<std::int32_t, 3> shared) {
  Features features = request(prompt, output);
  std::copy(shared.begin(), shared.end(), features.shared_prefix_tokens.begin());
  return features;
}

Features copying(std::int32_t prompt, std::int32_t output, Demand demand = Demand::kExact) {
  Features features = request(prompt, output, demand);
  features.copy_ratio = 1;
  return features;
}

LoadSnapshot running(std::int32_t bf16, std::int32_t q8_0 = 0) {
  LoadSnapshot load;
  load.lanes[0].running = bf16;
  load.lanes[1].running = q8_0;
  return load;
}

LoadSnapshot free_kv(std::int64_t bf16, std::int64_t q8_0, std::int64_t q4_0) {
  LoadSnapshot load;
  load.lanes[0].free_kv_tokens = bf16;
  load.lanes[1].free_kv_tokens = q8_0;
  load.lanes[2].free_kv_tokens = q4_0;
  return load;
}

void expect_cases(Policy& policy, const DecisionTable& table, std::span<const Case> cases) {
  for (const Case& c : cases) {
    const Decision decision = policy.decide(c.features, c.load);
    EXPECT_EQ(table.name_of(decision.mode), c.mode) << c.name;
    EXPECT_EQ(reason_text(decision.reason).name, c.rule) << c.name;
  }
}

// bf16: 1 ms a prompt token, 8 + 2 a step. q8_0: 1.5, 6 + 4. q4_0: 1.25, 5 + 3, only `fast`.
TEST(RulesPolicy, TakesTheCheapestModeThatKeepsTheQuality) {
  const Table table = compiled(simple_setup());
  RulesPolicy policy(table);
  const auto fast = Demand::kFast;
  const auto exact = Demand::kExact;
  const Case cases[] = {
      {"LoneLongAnswerIsQuantized", request(64, 200), {}, "q8_0", "cheapest"},
      {"LongPromptIsNot", request(1000, 32), {}, "bf16", "cheapest"},
      {"FastTakesTheSmallest", request(64, 200, fast), {}, "q4_0", "cheapest"},
      {"ExactTakesTheReference", request(64, 200, exact), {}, "bf16", "only_reference"},
      {"HardIsNotFast", request(64, 200, fast, RequestClass::kTools), {}, "q8_0", "cheapest"},
      {"LoadConsolidates", request(64, 200), running(8), "bf16", "cheapest"},
      {"LoadOnTheOtherLane", request(64, 200), running(0, 1), "q8_0", "cheapest"},
      {"CheapPrefix", sharing(1000, 32, {960, 0, 0}), {}, "bf16+prefix", "prefix_reuse"},
      {"PrefixElsewhere", sharing(1000, 32, {0, 960, 0}), {}, "q8_0+prefix", "prefix_reuse"},
      {"EqualWithinAPercent", request(100, 25), {}, "bf16", "cheapest"},
      {"NearlyEqual", request(100, 26), {}, "bf16", "reference_within_margin"},
      {"Copying", copying(100, 200), {}, "bf16+ngram", "speculation"},
      {"CopyingBesideOthers", copying(100, 200), running(1), "bf16", "only_reference"},
      {"NoMemory", request(64, 200), free_kv(1000, 100, 1000), "bf16", "only_reference"},
      {"NoMemoryAtAll", request(64, 200), free_kv(9, 9, 9), "bf16", "nothing_fits"},
  };
  expect_cases(policy, *table, cases);
}

// bf16 is full: joining its queue delays nobody much. q8_0 would start at once, but its steps of
// 2 ms delay the 16 sequences of bf16.
TEST(RulesPolicy, SaysWhenItSparesTheRunningOnes) {
  RouterSetup setup = simple_setup();
  setup.lanes[0].costs = simple_costs(1, 8, 0.1);
  setup.lanes[1].costs = simple_costs(0.1, 2, 2);
  LoadSnapshot queued = running(16);
  queued.lanes[0].waiting = 2;
  const Table table = compiled(setup);
  RulesPolicy policy(table);
  const Case cases[] = {
      {"Alone", request(500, 20), {}, "q8_0", "cheapest"},
      {"Queued", request(20, 20), queued, "bf16", "consolidates"},
  };
  expect_cases(policy, *table, cases);
}

TEST(FixedPolicy, ForcesTheModeWhateverTheQuality) {
  const Table table = compiled(simple_setup());
  const auto policy = make_policy("fixed:q4_0+prefix", table);
  ASSERT_TRUE(policy);
  const Case cases[] = {
      {"Exact", request(64, 200, Demand::kExact), {}, "q4_0+prefix", "fixed"},
      {"Loaded", request(64, 200), running(16), "q4_0+prefix", "fixed"},
  };
  expect_cases(**policy, *table, cases);
}

TEST(PaperPolicy, FollowsThePublishedOrder) {
  const Table table = compiled(simple_setup());
  PaperPolicy policy(table->setup());
  const auto math = RequestClass::kArithmetic;
  const auto choice = RequestClass::kMultipleChoice;
  const auto balanced = Demand::kBalanced;
  const Case cases[] = {
      {"PressureFirst", sharing(1024, 128, {960, 0, 0}), running(4), "q8_0",
       "paper_batch_pressure"},
      {"SharedPrefix", sharing(1024, 128, {960, 0, 0}), running(3), "q4_0+prefix",
       "paper_shared_prefix"},
      {"Memory", request(2048, 128), free_kv(1000, 9999, 9999), "q4_0", "paper_memory_pressure"},
      {"SS", request(128, 32), {}, "q4_0", "paper_cell"},
      {"SL", request(130, 120), {}, "bf16+ngram", "paper_cell"},
      {"LS", request(1024, 32), {}, "q4_0", "paper_cell"},
      {"LL", request(1000, 128), {}, "q4_0", "paper_cell"},
      {"Arithmetic", request(60, 300, balanced, math), {}, "bf16+ngram", "paper_arithmetic"},
      {"Choice", request(60, 4, balanced, choice), {}, "q8_0", "paper_multiple_choice"},
      {"Short", request(384, 64), {}, "bf16+ngram", "paper_short"},
      {"LongOutput", request(500, 500), {}, "bf16+ngram", "paper_long_output"},
      {"Otherwise", request(500, 100), {}, "q8_0", "paper_otherwise"},
  };
  expect_cases(policy, *table, cases);
}

TEST(PaperPolicy, MapsToTheReferenceWhatIsNotLoaded) {
  RouterSetup setup = simple_setup();
  setup.lanes.resize(1);
  setup.ngram = false;
  EXPECT_EQ(map_paper_modes(setup),
            (std::array<Mode, 4>{Mode{}, Mode{}, Mode{.prefix = true}, Mode{}}));
}

TEST(PaperPolicy, SpeculatesWithALaneOfThatNameOrADraftingLane) {
  RouterSetup setup = simple_setup();
  setup.draft = true;
  EXPECT_EQ(map_paper_modes(setup)[3].speculation, Speculation::kDraft);
  setup.lanes[2].weights = "speculative";
  EXPECT_EQ(map_paper_modes(setup)[3], Mode{.lane = 2});
}

TEST(RandomPolicy, DrawsEveryAllowedModeAndRepeatsWithItsSeed) {
  const Table table = compiled(simple_setup());
  RandomPolicy first(table, 7);
  RandomPolicy again(table, 7);
  std::set<std::string> drawn;
  for (int i = 0; i < 100; ++i) {
    const Decision decision = first.decide(request(64, 200), {});
    drawn.insert(table->name_of(decision.mode));
    EXPECT_EQ(decision.mode, again.decide(request(64, 200), {}).mode);
  }
  EXPECT_THAT(drawn, testing::ElementsAre("bf16", "q8_0"));
}

TEST(Oracle, TakesTheLeastRealisedCostThatKeepsTheQuality) {
  const Mode cheap{.lane = 2};
  const Mode good{.lane = 1};
  const RealisedCost costs[] = {{Mode{}, 100, true}, {cheap, 50, false}, {good, 80, true}};
  const auto decision = choose_least_realised(costs);
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->mode, good);
  EXPECT_EQ(decision->expected_ms, 80);
  EXPECT_FALSE(choose_least_realised({}));
}

TEST(MakePolicy, RefusesUnknownNamesWithTheChoices) {
  const Table table = compiled(simple_setup());
  for (const char* name :
       {"", "rule", "rules:x", "fixed", "random:x", "random:", "oracle", "paper:"}) {
    const auto policy = make_policy(name, table);
    ASSERT_FALSE(policy) << name;
    EXPECT_EQ(policy.error().code, ErrorCode::kUsage) << name;
    EXPECT_THAT(policy.error().message, testing::HasSubstr("rules, paper")) << name;
  }
  const auto unloaded = make_policy("fixed:q6_K", table);
  ASSERT_FALSE(unloaded);
  EXPECT_THAT(unloaded.error().message, testing::HasSubstr("bf16, q8_0, q4_0"));
}

}  // namespace
}  // namespace switchyard::router
