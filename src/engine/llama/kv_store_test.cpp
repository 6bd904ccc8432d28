// Prefixes that are stored, restored, copied and moved: a sequence that starts in one gives the
// tokens of a sequence that evaluated all of its prompt.
#include <gtest/gtest.h>

#include <string>

#include "engine/llama/test_support.h"

namespace switchyard::engine {
namespace {

using Tokens = std::vector<core::TokenId>;
using LlamaKvStoreTest = LlamaEngineTest;

constexpr std::int32_t kLength = 12;

std::string history() {
  std::string text = "Here is a list of numbers.";
  for (int i = 0; i < 40; ++i) text += " " + std::to_string(i * 37 % 101);
  return text;
}

std::int32_t common(const Tokens& a, const Tokens& b) {
  std::int32_t n = 0;
  while (a[n] == b[n]) ++n;
  return n;
}

core::StepResult save(Engine& engine, core::PrefixId prefix, core::StreamId from) {
  core::BatchPlan plan;
  plan.saves = {{prefix, from, 0}};
  return engine.step(plan);
}

core::StepResult evict(Engine& engine, core::PrefixId prefix) {
  core::BatchPlan plan;
  plan.evictions = {prefix};
  return engine.step(plan);
}

TEST_F(LlamaKvStoreTest, ARestoredPrefixContinuesAsIfItHadBeenEvaluated) {
  const Tokens first = chat(history() + " Which is the largest?");
  const Tokens second = chat(history() + " Which is the smallest, and why?");
  const Tokens expected = run_alone(*engine_, 0, second, kLength);
  run_alone(*engine_, 0, first, kLength);
  EXPECT_TRUE(save(*engine_, 1, 0).lost_saves.empty());
  run_alone(*engine_, 0, chat("Something else."), kLength);

  Sequence restored{.stream = 2,
                    .request = greedy_request(7, second, kLength),
                    .keep_tokens = common(first, second),
                    .source = core::StoredPrefix{1}};
  run(*engine_, 0, {&restored});
  expect_same(*engine_, 0, second, expected, restored.tokens());
  evict(*engine_, 1);
}

TEST_F(LlamaKvStoreTest, APrefixIsRestoredIntoAStreamThatHoldsMoreThanIt) {
  const Tokens prompt = chat(history());
  const Tokens expected = run_alone(*engine_, 0, prompt, kLength);
  save(*engine_, 1, 0);
  Sequence longer{.stream = 1, .request = greedy_request(3, chat(history() + history()), kLength)};
  run(*engine_, 0, {&longer});
  Sequence restored{.stream = 1,
                    .request = greedy_request(4, prompt, kLength),
                    .keep_tokens = static_cast<std::int32_t>(prompt.size()) - 1,
                    .source = core::StoredPrefix{1}};
  run(*engine_, 0, {&restored});
  expect_same(*engine_, 0, prompt, expected, restored.tokens());
  evict(*engine_, 1);
}

TEST_F(LlamaKvStoreTest, ACopyOfAStreamLeavesTheStreamAsItWas) {
  const Tokens prompt = chat(history());
  const Tokens expected = run_alone(*engine_, 0, prompt, kLength);
  const auto keep = static_cast<std::int32_t>(prompt.size()) - 1;
  Sequence copy{.stream = 3,
                .request = greedy_request(2, prompt, kLength),
                .keep_tokens = keep,
                .source = core::OtherStream{0}};
  run(*engine_, 0, {&copy});
  expect_same(*engine_, 0, prompt, expected, copy.tokens());
  Sequence own{.stream = 0, .request = greedy_request(5, prompt, kLength), .keep_tokens = keep};
  run(*engine_, 0, {&own});
  expect_same(*engine_, 0, prompt, expected, own.tokens());
}

TEST_F(LlamaKvStoreTest, AMovedSequenceGoesOnWithItsTokensAndItsSampler) {
  const Tokens prompt = chat(history());
  const auto sampled_tokens = [&](core::RequestId id, bool move) {
    auto request = greedy_request(id, prompt, kLength);
    request->sampling.temperature = 1;
    request->sampling.seed = 11;
    request->sampling.repetition_penalty = 1.2F;
    core::StreamId stream = 3;
    core::BatchPlan plan;
    plan.starts = {{stream, 0, request}};
    plan.streams = {{stream, id, 0, prompt, true}};
    Tokens tokens;
    while (static_cast<std::int32_t>(tokens.size()) < kLength) {
      const core::StepResult result = engine_->step(plan);
      EXPECT_EQ(result.status, core::StepStatus::kOk) << result.error;
      if (result.sampled.size() != 1) break;
      tokens.push_back(result.sampled[0].token);
      plan = {};
      if (move && tokens.size() == 6) {
        plan.moves = {{stream, 1, static_cast<std::int32_t>(prompt.size() + 5)}};
        stream = 1;
      }
      const auto position = static_cast<std::int32_t>(prompt.size() + tokens.size()) - 1;
      plan.streams = {{stream, id, position, {tokens.back()}, true}};
    }
    return tokens;
  };
  EXPECT_EQ(sampled_tokens(1, true), sampled_tokens(2, false));
}

TEST_F(LlamaKvStoreTest, AnEvictedPrefixCannotBeRestored) {
  const Tokens prompt = chat("Hello.");
  run_alone(*engine_, 0, prompt, 1);
  save(*engine_, 9, 0);
  evict(*engine_, 9);
  core::BatchPlan plan;
  plan.starts = {{1, 2, greedy_request(1, prompt, 1), core::StoredPrefix{9}}};
  plan.streams = {{1, 1, 2, Tokens(prompt.begin() + 2, prompt.end()), true}};
  EXPECT_EQ(engine_->step(plan).status, core::StepStatus::kFailed);
}

TEST_F(LlamaKvStoreTest, StreamsThatThereAreNotAreRefused) {
  for (const core::StreamId unknown : {-1, 1 << 20}) {
    EXPECT_EQ(save(*engine_, 1, unknown).status, core::StepStatus::kFailed);
    core::BatchPlan move;
    move.moves = {{unknown, 0, 1}};
    EXPECT_EQ(engine_->step(move).status, core::StepStatus::kFailed);
    core::BatchPlan copy;
    copy.starts = {{1, 0, greedy_request(1, chat("Hello."), 1), core::OtherStream{unknown}}};
    EXPECT_EQ(engine_->step(copy).status, core::StepStatus::kFailed);
  }
}

}  // namespace
}  // namespace switchyard::engine
