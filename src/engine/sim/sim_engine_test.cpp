#include "engine/sim/sim_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "engine/sim/sim_tokenizer.h"

namespace switchyard::engine {
namespace {

using ::testing::HasSubstr;

SimOptions free_of_cost() {
  SimOptions options;
  options.cost = {};
  options.streams = 4;
  options.stream_capacity_tokens = 64;
  return options;
}

std::shared_ptr<core::Request> request_of(core::RequestId id, const std::string& prompt) {
  auto request = std::make_shared<core::Request>();
  request->id = id;
  request->prompt = SimTokenizer().tokenize(prompt, true, false);
  request->max_tokens = 20;
  request->sampling.temperature = 0;
  return request;
}

core::StreamTokens entry(core::StreamId stream, core::RequestId request, std::int32_t position,
                         std::vector<core::TokenId> tokens, bool sample) {
  core::StreamTokens result;
  result.stream = stream;
  result.request = request;
  result.position = position;
  result.tokens = std::move(tokens);
  result.sample = sample;
  return result;
}

/// An engine of one small lane, with helpers that make the plans.
class SimEngineTest : public ::testing::Test {
 protected:
  void use(const SimOptions& options) {
    auto made = make_sim_engine(options);
    ASSERT_TRUE(made) << made.error().message;
    engine_ = *std::move(made);
  }
  void SetUp() override { use(free_of_cost()); }

  core::StepResult prefill(core::StreamId stream, const std::shared_ptr<core::Request>& request,
                           std::int32_t keep = 0) {
    core::BatchPlan plan;
    plan.starts = {{stream, keep, request}};
    plan.streams = {entry(stream, request->id, keep,
                          {request->prompt.begin() + keep, request->prompt.end()}, true)};
    return engine_->step(plan);
  }
  core::StepResult step(core::StreamTokens tokens) {
    core::BatchPlan plan;
    plan.streams = {std::move(tokens)};
    return engine_->step(plan);
  }
  void expect_refused(const core::StepResult& result, const std::string& why) {
    EXPECT_EQ(result.status, core::StepStatus::kFailed);
    EXPECT_THAT(result.error, HasSubstr(why));
  }

  std::unique_ptr<Engine> engine_;
};

TEST_F(SimEngineTest, LanesAreTheListedModes) {
  SimOptions options = free_of_cost();
  options.modes = {"auto", "q4_0"};
  options.pool_capacity_tokens = 100;
  use(options);
  ASSERT_EQ(engine_->lanes().size(), 2U);
  EXPECT_EQ(engine_->lanes()[0].mode, "f16");
  EXPECT_EQ(engine_->lanes()[1].mode, "q4_0");
  EXPECT_EQ(engine_->lanes()[1].pool_capacity_tokens, 100);
}

TEST_F(SimEngineTest, RepeatedOrMissingModesAreUsageErrors) {
  SimOptions options;
  for (const auto& modes : {std::vector<std::string>{}, {"f16", "f16"}, {"auto", "f16"}, {""}}) {
    options.modes = modes;
    const auto made = make_sim_engine(options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kUsage);
  }
}

TEST_F(SimEngineTest, APromptAndADecodeStepSampleOneTokenEach) {
  const auto request = request_of(7, "hello");
  const auto first = prefill(1, request);
  ASSERT_EQ(first.status, core::StepStatus::kOk) << first.error;
  ASSERT_EQ(first.sampled.size(), 1U);
  EXPECT_EQ(first.sampled[0].request, 7U);
  const auto second = step(entry(1, 7, 5, {first.sampled[0].token}, true));
  ASSERT_EQ(second.status, core::StepStatus::kOk) << second.error;
  EXPECT_EQ(second.sampled.size(), 1U);
}

TEST_F(SimEngineTest, AChunkedPromptGivesTheTokenOfAWholeOne) {
  const auto request = request_of(1, "hello");
  const auto whole = prefill(0, request);
  core::BatchPlan plan;
  plan.starts = {{1, 0, request}};
  plan.streams = {entry(1, 1, 0, {'h', 'e'}, false)};
  EXPECT_TRUE(engine_->step(plan).sampled.empty());
  const auto chunked = step(entry(1, 1, 2, {'l', 'l', 'o'}, true));
  ASSERT_EQ(chunked.sampled.size(), 1U) << chunked.error;
  EXPECT_EQ(chunked.sampled[0].token, whole.sampled[0].token);
}

TEST_F(SimEngineTest, AKeptPrefixGivesTheTokenOfAWholePrompt) {
  const auto request = request_of(2, "hello there");
  const auto whole = prefill(0, request);
  prefill(1, request_of(1, "hello"));
  const auto kept = prefill(1, request, 5);
  ASSERT_EQ(kept.sampled.size(), 1U) << kept.error;
  EXPECT_EQ(kept.sampled[0].token, whole.sampled[0].token);
}

TEST_F(SimEngineTest, PaddingLeavesNoToken) {
  prefill(0, request_of(1, "hello"));
  core::StreamTokens padding = entry(0, 0, 5, {0}, false);
  padding.padding = true;
  EXPECT_EQ(step(padding).status, core::StepStatus::kOk);
  EXPECT_EQ(step(padding).status, core::StepStatus::kOk);
}

TEST_F(SimEngineTest, AKeptPrefixThatIsNotThePromptsIsRefused) {
  prefill(0, request_of(1, "hello"));
  expect_refused(prefill(0, request_of(2, "help me"), 4), "not its prompt's");
}

TEST_F(SimEngineTest, KeepingMoreThanTheStreamHoldsIsRefused) {
  expect_refused(prefill(0, request_of(1, "hello"), 2), "keeps 2 tokens, its source has 0");
}

TEST_F(SimEngineTest, APositionThatIsNotTheStreamsLengthIsRefused) {
  const auto sampled = prefill(0, request_of(1, "hello")).sampled[0].token;
  expect_refused(step(entry(0, 1, 6, {sampled}, true)), "its length is 5");
}

TEST_F(SimEngineTest, ATokenThatWasNotSampledIsRefused) {
  const auto sampled = prefill(0, request_of(1, "hello")).sampled[0].token;
  expect_refused(step(entry(0, 1, 5, {sampled + 1}, true)), "was sampled");
}

TEST_F(SimEngineTest, APromptTokenThatIsNotThePromptsIsRefused) {
  core::BatchPlan plan;
  plan.starts = {{0, 0, request_of(1, "hello")}};
  plan.streams = {entry(0, 1, 0, {'h', 'a'}, false)};
  expect_refused(engine_->step(plan), "not its prompt's");
}

TEST_F(SimEngineTest, SamplingInsideThePromptIsRefused) {
  core::BatchPlan plan;
  plan.starts = {{0, 0, request_of(1, "hello")}};
  plan.streams = {entry(0, 1, 0, {'h'}, true)};
  expect_refused(engine_->step(plan), "inside its prompt");
}

TEST_F(SimEngineTest, SamplingPastMaxTokensIsRefused) {
  auto request = request_of(1, "hello");
  request->max_tokens = 1;
  const auto sampled = prefill(0, request).sampled[0].token;
  expect_refused(step(entry(0, 1, 5, {sampled}, true)), "after its end");
}

TEST_F(SimEngineTest, AnotherRequestsStreamIsRefused) {
  prefill(0, request_of(1, "hello"));
  expect_refused(step(entry(0, 2, 5, {'x'}, true)), "not given to request 2");
}

TEST_F(SimEngineTest, MoreTokensThanAStreamHoldsAreRefused) {
  expect_refused(prefill(0, request_of(1, std::string(65, 'x'))), "65 tokens of 64");
}

TEST_F(SimEngineTest, MoreTokensThanThePoolHoldsAreRefused) {
  SimOptions options = free_of_cost();
  options.pool_capacity_tokens = 80;
  use(options);
  EXPECT_EQ(prefill(0, request_of(1, std::string(50, 'x'))).status, core::StepStatus::kOk);
  expect_refused(prefill(1, request_of(2, std::string(50, 'x'))), "more than its 80 tokens");
}

TEST_F(SimEngineTest, StreamsOutOfOrderAreRefused) {
  core::BatchPlan plan;
  plan.starts = {{0, 0, request_of(1, "a")}, {1, 0, request_of(2, "b")}};
  plan.streams = {entry(1, 2, 0, {'b'}, true), entry(0, 1, 0, {'a'}, true)};
  expect_refused(engine_->step(plan), "stream 0 comes after stream 1");
}

TEST_F(SimEngineTest, AnUnknownLaneIsRefused) {
  core::BatchPlan plan;
  plan.lane = 2;
  expect_refused(engine_->step(plan), "unknown lane 2");
}

TEST_F(SimEngineTest, AbortWakesTheStepInFlightAndRefusesLaterOnes) {
  SimOptions options = free_of_cost();
  options.cost.step_us = 3600e6;
  use(options);
  std::jthread aborter([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    engine_->abort();
  });
  EXPECT_EQ(prefill(0, request_of(1, "hello")).status, core::StepStatus::kAborted);
  EXPECT_EQ(prefill(1, request_of(2, "hello")).status, core::StepStatus::kAborted);
}

TEST_F(SimEngineTest, AStepTakesItsModelledTimeDividedBySpeed) {
  SimOptions options = free_of_cost();
  options.cost.step_us = 1e6;
  options.speed = 50;
  use(options);
  const auto result = prefill(0, request_of(1, "hello"));
  EXPECT_GE(result.evaluate_seconds, 0.0199);
}

}  // namespace
}  // namespace switchyard::engine
