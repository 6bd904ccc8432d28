#include "engine/llama/llama_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <utility>

#include "engine/llama/test_support.h"

namespace switchyard::engine {
namespace {

using Tokens = std::vector<core::TokenId>;

constexpr std::int32_t kLength = 24;

TEST_F(LlamaEngineTest, TheFirstLaneIsTheReferenceAndBothHoldTheirStreams) {
  ASSERT_EQ(engine_->lanes().size(), 2U);
  const core::LaneInfo& reference = engine_->lanes()[0];
  EXPECT_THAT(reference.mode, ::testing::AnyOf("bf16", "f16"));
  EXPECT_EQ(engine_->lanes()[1].mode, "q8_0");
  EXPECT_EQ(reference.n_streams, 8);
  EXPECT_EQ(reference.stream_capacity_tokens, 512);
  EXPECT_EQ(reference.pool_capacity_tokens, 8 * 512);
  EXPECT_GT(reference.weights_bytes, engine_->lanes()[1].weights_bytes);
}

TEST_F(LlamaEngineTest, AnAnswerIsText) {
  std::string text;
  for (const core::TokenId token :
       run_alone(*engine_, 0, chat("What is the capital of France?"), 32)) {
    engine_->tokenizer().append_piece(token, false, text);
  }
  EXPECT_THAT(text, ::testing::HasSubstr("Paris"));
}

TEST_F(LlamaEngineTest, GreedyTokensAreTheSameAloneAndAmongFiveOthers) {
  const Tokens prompt = chat("Tell me a story about a train.");
  for (core::LaneId lane = 0; lane < 2; ++lane) {
    const Tokens alone = run_alone(*engine_, lane, prompt, kLength);
    std::vector<Sequence> all(6);
    std::vector<Sequence*> together;
    for (int i = 0; i < 6; ++i) {
      const Tokens own = i == 3 ? prompt : chat("Count to " + std::to_string(i * 17) + " slowly.");
      all[static_cast<std::size_t>(i)].stream = i;
      all[static_cast<std::size_t>(i)].request =
          greedy_request(static_cast<core::RequestId>(i + 10), own, kLength);
      together.push_back(&all[static_cast<std::size_t>(i)]);
    }
    run(*engine_, lane, together);
    expect_same(*engine_, lane, prompt, alone, all[3].tokens());
  }
}

TEST_F(LlamaEngineTest, GreedyTokensAreTheSameWithThePromptWholeAndInChunks) {
  const Tokens prompt = chat("Explain in one paragraph why the sky is blue and the sunset is red.");
  const Tokens whole = run_alone(*engine_, 0, prompt, kLength);
  Sequence chunked{.stream = 2, .request = greedy_request(1, prompt, kLength), .chunk_tokens = 7};
  run(*engine_, 0, {&chunked});
  expect_same(*engine_, 0, prompt, whole, chunked.tokens());
}

TEST_F(LlamaEngineTest, PaddingBetweenStreamsLeavesTheirTokensAndItsOwnStreamUnchanged) {
  const Tokens prompt = chat("Name three colours.");
  const Tokens alone = run_alone(*engine_, 0, prompt, kLength);
  Sequence low{.stream = 0, .request = greedy_request(1, prompt, kLength)};
  Sequence high{.stream = 2, .request = greedy_request(2, prompt, kLength)};
  run(*engine_, 0, {&low, &high}, /*padding=*/1);
  expect_same(*engine_, 0, prompt, alone, low.tokens());
  expect_same(*engine_, 0, prompt, alone, high.tokens());
  Sequence after{.stream = 1, .request = greedy_request(3, prompt, kLength)};
  run(*engine_, 0, {&after});
  expect_same(*engine_, 0, prompt, alone, after.tokens());
}

TEST_F(LlamaEngineTest, AKeptPrefixGivesTheSameTokensAsAWholePrompt) {
  const Tokens first = chat("Name three colours.");
  Tokens second = first;
  const Tokens tail = engine_->tokenizer().tokenize("The first is", false, false);
  second.insert(second.end(), tail.begin(), tail.end());
  const Tokens whole = run_alone(*engine_, 0, second, kLength);

  Sequence before{.stream = 5, .request = greedy_request(1, first, kLength)};
  run(*engine_, 0, {&before});
  Sequence kept{.stream = 5,
                .request = greedy_request(2, second, kLength),
                .keep_tokens = static_cast<std::int32_t>(first.size())};
  run(*engine_, 0, {&kept});
  expect_same(*engine_, 0, second, whole, kept.tokens());
}

TEST_F(LlamaEngineTest, ASeedRepeatsItsTokensAndAnotherDoesNot) {
  const auto sample = [&](std::uint32_t seed) {
    auto request = greedy_request(1, chat("Invent a word."), kLength);
    request->sampling.temperature = 1.5F;
    request->sampling.seed = seed;
    Sequence sequence{.stream = 0, .request = request};
    run(*engine_, 0, {&sequence});
    return sequence.tokens();
  };
  EXPECT_EQ(sample(7), sample(7));
  EXPECT_NE(sample(7), sample(8));
  EXPECT_EQ(sample(0xFFFFFFFF), sample(0xFFFFFFFF));
}

TEST_F(LlamaEngineTest, LogprobsAreThoseOfTheChosenTokenAndItsRivals) {
  auto request = greedy_request(1, chat("What is the capital of France?"), 4);
  request->sampling.top_logprobs = 5;
  Sequence sequence{.stream = 0, .request = request};
  run(*engine_, 0, {&sequence});
  for (const core::SampledToken& token : sequence.sampled) {
    ASSERT_EQ(token.top_logprobs.size(), 5U);
    EXPECT_EQ(token.top_logprobs[0].token, token.token);
    EXPECT_FLOAT_EQ(token.top_logprobs[0].logprob, token.logprob);
    EXPECT_LE(token.logprob, 0.0F);
    EXPECT_GE(token.top_logprobs[0].logprob, token.top_logprobs[1].logprob);
  }
}

TEST_F(LlamaEngineTest, IgnoreEosGoesPastTheNaturalEnd) {
  const Tokens prompt = chat("Say yes.");
  const Tokens natural = run_alone(*engine_, 0, prompt, 200);
  ASSERT_LT(natural.size(), 200U);
  auto request = greedy_request(1, prompt, static_cast<std::int32_t>(natural.size()) + 5);
  request->sampling.ignore_eos = true;
  Sequence sequence{.stream = 0, .request = request};
  run(*engine_, 0, {&sequence});
  EXPECT_EQ(sequence.sampled.size(), natural.size() + 5);
}

TEST_F(LlamaEngineTest, APlanLargerThanAStepIsRefusedAndTheEngineGoesOn) {
  const Tokens prompt = chat("Name three colours.");
  core::BatchPlan plan;
  plan.starts = {{0, 0, greedy_request(1, Tokens(600, 1), 1)}};
  plan.streams.resize(1);
  plan.streams[0].request = 1;
  plan.streams[0].tokens.assign(600, 1);
  EXPECT_EQ(engine_->step(plan).status, core::StepStatus::kFailed);
  EXPECT_EQ(run_alone(*engine_, 0, prompt, 4).size(), 4U);
}

TEST_F(LlamaEngineTest, APlanAtAWrongPositionFailsAndLeavesTheStreamAsItWas) {
  const Tokens prompt = chat("Name three colours.");
  const Tokens alone = run_alone(*engine_, 0, prompt, kLength);
  Sequence sequence{.stream = 1, .request = greedy_request(1, prompt, 1)};
  run(*engine_, 0, {&sequence});
  core::BatchPlan plan;
  plan.streams.resize(1);
  plan.streams[0].stream = 1;
  plan.streams[0].request = 1;
  plan.streams[0].position = static_cast<std::int32_t>(prompt.size()) + 9;
  plan.streams[0].tokens = {5};
  const auto result = engine_->step(plan);
  EXPECT_EQ(result.status, core::StepStatus::kFailed);
  EXPECT_EQ(result.error.find('\n'), std::string::npos);
  Sequence again{.stream = 1,
                 .request = greedy_request(2, prompt, kLength),
                 .keep_tokens = static_cast<std::int32_t>(prompt.size()) - 1};
  run(*engine_, 0, {&again});
  expect_same(*engine_, 0, prompt, alone, again.tokens());
}

TEST(LlamaEngineAbort, EndsTheStepInFlightAndRefusesLaterOnes) {
  LlamaOptions options = test_options({"auto"});
  options.context_tokens = 4096;
  options.max_batch_tokens = 4096;
  auto loaded = load_llama_engine(options, nullptr);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const std::unique_ptr<Engine> engine = *std::move(loaded);
  core::BatchPlan plan;  // several seconds of work on any CPU
  plan.starts = {{0, 0, greedy_request(1, Tokens(4000, 100), 1)}};
  plan.streams.resize(1);
  plan.streams[0].request = 1;
  plan.streams[0].tokens.assign(4000, 100);
  plan.streams[0].sample = true;
  std::jthread aborter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    engine->abort();
  });
  EXPECT_EQ(engine->step(plan).status, core::StepStatus::kAborted);
  EXPECT_EQ(engine->step(plan).status, core::StepStatus::kAborted);
}

}  // namespace
}  // namespace switchyard::engine
