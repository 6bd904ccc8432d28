// Dummy tokens that the lane evaluates and cuts off again: those that fill a prompt chunk up to a
// tile, and padding. None may change what a stream holds.
#include <gtest/gtest.h>

#include <string>

#include "engine/llama/test_support.h"

namespace switchyard::engine {
namespace {

using Tokens = std::vector<core::TokenId>;
using LlamaFillTest = LlamaEngineTest;

constexpr std::int32_t kLength = 12;

core::StreamTokens one_token(core::StreamId stream, std::int32_t position, bool padding) {
  core::StreamTokens entry;
  entry.stream = stream;
  entry.request = padding ? 0 : static_cast<core::RequestId>(stream + 1);
  entry.position = position;
  entry.tokens = {100};
  entry.padding = padding;
  return entry;
}

/// A prompt of `size` tokens, if `chat` has as many, that begins and ends as a chat prompt does.
Tokens fit(Tokens chat, std::size_t size) {
  if (chat.size() < size) return chat;
  chat.erase(chat.begin() + 20, chat.begin() + 20 + static_cast<int>(chat.size() - size));
  return chat;
}

std::string long_text() {
  std::string text = "Which of these numbers is the largest, and what is it called?";
  for (int i = 0; i < 300; ++i) text += " " + std::to_string(i * 37 % 101);
  return text;
}

TEST_F(LlamaFillTest, ChunksAroundTheSizesThatAreFilledGiveTheTokensOfTheWholePrompt) {
  const Tokens prompt = fit(chat(long_text()), 215);
  const Tokens whole = run_alone(*engine_, 0, prompt, kLength);
  for (const std::int32_t chunk : {47, 48, 63, 64}) {
    SCOPED_TRACE(chunk);
    Sequence chunked{
        .stream = 3, .request = greedy_request(1, prompt, kLength), .chunk_tokens = chunk};
    run(*engine_, 0, {&chunked});
    expect_same(*engine_, 0, prompt, whole, chunked.tokens());
  }
}

TEST_F(LlamaFillTest, AFilledChunkBesideRunningStreamsLeavesTheirTokensUnchanged) {
  const Tokens prompt = fit(chat(long_text()), 150);
  const Tokens question = chat("Name three colours.");
  const Tokens alone = run_alone(*engine_, 0, question, kLength);
  Sequence low{.stream = 0, .request = greedy_request(1, question, kLength)};
  Sequence chunked{.stream = 1, .request = greedy_request(2, prompt, kLength), .chunk_tokens = 50};
  Sequence high{.stream = 2, .request = greedy_request(3, question, kLength)};
  run(*engine_, 0, {&low, &chunked, &high});
  expect_same(*engine_, 0, question, alone, low.tokens());
  expect_same(*engine_, 0, question, alone, high.tokens());
  expect_same(*engine_, 0, prompt, run_alone(*engine_, 0, prompt, kLength), chunked.tokens());
}

TEST_F(LlamaFillTest, AChunkThatATileWouldTakePastTheCapacityIsEvaluatedAsItIs) {
  const std::int32_t capacity = engine_->lanes()[0].stream_capacity_tokens;
  // Eight chunks of 57 and one of 54, behind which fewer than ten tokens fit.
  const Tokens prompt = fit(chat(long_text()), static_cast<std::size_t>(capacity - 2));
  ASSERT_EQ(prompt.size(), 510U);
  const Tokens whole = run_alone(*engine_, 0, prompt, 2);
  Sequence chunked{.stream = 4, .request = greedy_request(1, prompt, 2), .chunk_tokens = 57};
  run(*engine_, 0, {&chunked});
  ASSERT_EQ(chunked.sampled.size(), whole.size());
  expect_same(*engine_, 0, prompt, whole, chunked.tokens());
}

TEST_F(LlamaFillTest, PaddingInAnIdleStreamLeavesItsKeptPrefixIntact) {
  const Tokens first = chat("Name three colours.");
  Tokens second = first;
  const Tokens tail = engine_->tokenizer().tokenize("The first is", false, false);
  second.insert(second.end(), tail.begin(), tail.end());
  const Tokens whole = run_alone(*engine_, 0, second, kLength);

  Sequence low{.stream = 0, .request = greedy_request(1, first, 1)};
  Sequence idle{.stream = 1, .request = greedy_request(2, first, 1)};
  Sequence high{.stream = 2, .request = greedy_request(3, first, 1)};
  run(*engine_, 0, {&low, &idle, &high});
  const auto held = static_cast<std::int32_t>(first.size());
  for (std::int32_t i = 0; i < 8; ++i) {
    core::BatchPlan plan;
    plan.streams = {one_token(0, held + i, false), one_token(1, held, true),
                    one_token(2, held + i, false)};
    const auto result = engine_->step(plan);
    ASSERT_EQ(result.status, core::StepStatus::kOk) << result.error;
  }
  Sequence kept{.stream = 1, .request = greedy_request(4, second, kLength), .keep_tokens = held};
  run(*engine_, 0, {&kept});
  expect_same(*engine_, 0, second, whole, kept.tokens());
}

}  // namespace
}  // namespace switchyard::engine
