#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/llama/llama_engine.h"
#include "engine/same_tokens.h"

namespace switchyard::engine {

/// The model the tests run on: $SWITCHYARD_TEST_MODEL, or the one set-up fetches. A test fails, not
/// skips, without it.
std::string test_model();
/// Options of a small engine of that model, with a cache in the build tree.
LlamaOptions test_options(const std::vector<std::string>& modes);

/// A request in a stream, and how its prompt is fed.
struct Sequence {
  core::StreamId stream = 0;
  std::shared_ptr<const core::Request> request;
  std::int32_t keep_tokens = 0;
  core::PrefixSource source = core::OwnStream{};
  std::int32_t chunk_tokens = 1 << 20;
  std::vector<core::SampledToken> sampled = {};

  std::vector<core::TokenId> tokens() const;
};

std::shared_ptr<core::Request> greedy_request(core::RequestId id, std::vector<core::TokenId> prompt,
                                              std::int32_t max_tokens);

/// Runs the sequences together, in stream order, until each has its max_tokens or ended. `padding`:
/// drop this idle stream and put a padding token in it at every step (−1: none).
void run(Engine& engine, core::LaneId lane, std::vector<Sequence*> sequences,
         core::StreamId padding = -1);

/// `prompt` continued greedily, alone in stream 0.
std::vector<core::TokenId> run_alone(Engine& engine, core::LaneId lane,
                                     const std::vector<core::TokenId>& prompt,
                                     std::int32_t max_tokens);

/// Expects the same tokens in the sense of compare_tokens, the reference being the lane alone.
void expect_same(Engine& engine, core::LaneId lane, const std::vector<core::TokenId>& prompt,
                 const std::vector<core::TokenId>& expected,
                 const std::vector<core::TokenId>& actual);

/// An engine with one reference and one quantized lane and a few prompts.
class LlamaEngineTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();
  void SetUp() override { ASSERT_NE(engine_, nullptr) << load_error_; }

  std::vector<core::TokenId> chat(const std::string& text) const;

  static std::unique_ptr<Engine> engine_;
  static std::string load_error_;
};

}  // namespace switchyard::engine
