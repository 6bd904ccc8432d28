#include "router/learned_policy.h"

#include <gtest/gtest.h>

#include <vector>

#include "router/rules_policy.h"
#include "router/simple_setup.h"

namespace switchyard::router {
namespace {

TEST(Logistic, LearnsALineAndRepeats) {
  std::vector<float> inputs;
  std::vector<std::uint8_t> labels;
  for (int i = 0; i < 100; ++i) {
    const float x = static_cast<float>(i) / 100;
    inputs.insert(inputs.end(), {x, 1});
    labels.push_back(x > 0.6F ? 1 : 0);
  }
  const LogisticOptions options{.epochs = 2000};
  const Logistic model = train_logistic(inputs, labels, 2, options);
  const Logistic again = train_logistic(inputs, labels, 2, options);
  const auto picks_one = [&](float x) {
    const float row[] = {x, 1};
    EXPECT_EQ(model.score(1, row), again.score(1, row));
    return model.score(1, row) > model.score(0, row);
  };
  EXPECT_FALSE(picks_one(0.1F));
  EXPECT_FALSE(picks_one(0.5F));
  EXPECT_TRUE(picks_one(0.7F));
  EXPECT_TRUE(picks_one(1));
}

class LearnedPolicyTest : public testing::Test {
 protected:
  LearnedPolicyTest() {
    table_ = std::make_shared<const DecisionTable>(*DecisionTable::compile(simple_setup()));
    RulesPolicy rules(table_);
    for (std::int32_t prompt = 16; prompt <= 2048; prompt *= 2) {
      for (std::int32_t output = 4; output <= 512; output *= 2) {
        LabelledRequest example{.features = request(prompt, output), .load = {}, .cheapest = {}};
        example.cheapest = rules.decide(example.features, example.load).mode;
        examples_.push_back(example);
      }
    }
  }

  static Features request(std::int32_t prompt, std::int32_t output) {
    return {.prompt_tokens = prompt, .output = exact_length(output)};
  }

  std::shared_ptr<const DecisionTable> table_;
  std::vector<LabelledRequest> examples_;
};

TEST_F(LearnedPolicyTest, FindsTheModesItWasTaught) {
  LearnedPolicy policy(table_, examples_);
  const struct {
    const char* name;
    Features features;
    const char* mode;
  } cases[] = {
      {"LoneLongAnswer", request(32, 400), "q8_0"},
      {"LongPrompt", request(2000, 8), "bf16"},
  };
  for (const auto& c : cases) {
    const Decision decision = policy.decide(c.features, {});
    EXPECT_EQ(table_->name_of(decision.mode), c.mode) << c.name;
    EXPECT_EQ(decision.reason, Reason::kPredicted) << c.name;
  }
}

TEST_F(LearnedPolicyTest, KeepsTheQualityGuard) {
  LearnedPolicy policy(table_, examples_);
  Features exact = request(32, 400);
  exact.demand = Demand::kExact;
  EXPECT_EQ(policy.decide(exact, {}).mode.lane, 0);
}

TEST_F(LearnedPolicyTest, ReusesAPrefixThatIsThere) {
  LearnedPolicy policy(table_, examples_);
  Features sharing = request(2000, 8);
  sharing.shared_prefix_tokens[0] = 1900;
  EXPECT_TRUE(policy.decide(sharing, {}).mode.prefix);
}

TEST_F(LearnedPolicyTest, WithoutExamplesStaysWithTheReference) {
  LearnedPolicy policy(table_, {});
  EXPECT_EQ(policy.decide(request(32, 400), {}).mode, Mode{});
}

}  // namespace
}  // namespace switchyard::router
