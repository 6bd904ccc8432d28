#include "engine/llama/test_support.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace switchyard::engine {
namespace {

/// Kernels differ by batch size in the last bits of BF16 products and F16 keys and values, so a gap
/// this small may fall either way. Chosen, not measured per mode.
constexpr float kNearTie = 0.1F;
/// For a candidate the reference does not even hold among its most likely.
constexpr float kFar = 1e3F;
constexpr std::int32_t kCandidates = 20;

bool is_done(const Sequence& sequence) {
  return static_cast<std::int32_t>(sequence.sampled.size()) == sequence.request->max_tokens ||
         (!sequence.sampled.empty() && sequence.sampled.back().end_of_generation);
}

core::StreamTokens next_tokens(const Sequence& sequence, std::int32_t fed) {
  const auto& prompt = sequence.request->prompt;
  const auto size = static_cast<std::int32_t>(prompt.size());
  core::StreamTokens entry;
  entry.stream = sequence.stream;
  entry.request = sequence.request->id;
  entry.position = fed;
  if (fed < size) {
    const std::int32_t end = std::min(size, fed + sequence.chunk_tokens);
    entry.tokens.assign(prompt.begin() + fed, prompt.begin() + end);
    entry.sample = end == size;
  } else {
    entry.tokens = {sequence.sampled.back().token};
    entry.sample = true;
  }
  return entry;
}

core::StreamTokens padding_in(core::StreamId stream) {
  core::StreamTokens entry;
  entry.stream = stream;
  entry.tokens = {0};
  entry.padding = true;
  return entry;
}

}  // namespace

std::string test_model() {
  const char* path = std::getenv("SWITCHYARD_TEST_MODEL");
  return path != nullptr ? path : SWITCHYARD_DEFAULT_TEST_MODEL;
}

LlamaOptions test_options(const std::vector<std::string>& modes) {
  LlamaOptions options;
  options.model_path = test_model();
  options.modes = modes;
  options.max_sequences = 8;
  options.context_tokens = 512;
  options.threads = 1;  // two spinning threads crawl when other tests share the cores
  options.cache_dir = SWITCHYARD_TEST_CACHE;
  return options;
}

std::vector<core::TokenId> Sequence::tokens() const {
  std::vector<core::TokenId> result;
  for (const core::SampledToken& token : sampled) result.push_back(token.token);
  return result;
}

std::shared_ptr<core::Request> greedy_request(core::RequestId id, std::vector<core::TokenId> prompt,
                                              std::int32_t max_tokens) {
  auto request = std::make_shared<core::Request>();
  request->id = id;
  request->prompt = std::move(prompt);
  request->max_tokens = max_tokens;
  request->sampling.temperature = 0;
  return request;
}

void run(Engine& engine, core::LaneId lane, std::vector<Sequence*> sequences,
         core::StreamId padding) {
  std::vector<std::int32_t> fed(sequences.size());
  core::BatchPlan plan;
  plan.lane = lane;
  if (padding >= 0) plan.drops = {padding};
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    fed[i] = sequences[i]->keep_tokens;
    plan.starts.push_back(
        {sequences[i]->stream, fed[i], sequences[i]->request, sequences[i]->source});
  }
  while (true) {
    std::vector<Sequence*> sampling;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      if (is_done(*sequences[i])) continue;
      plan.streams.push_back(next_tokens(*sequences[i], fed[i]));
      fed[i] += static_cast<std::int32_t>(plan.streams.back().tokens.size());
      if (plan.streams.back().sample) sampling.push_back(sequences[i]);
    }
    if (plan.streams.empty()) return;
    if (padding >= 0) plan.streams.push_back(padding_in(padding));
    std::sort(plan.streams.begin(), plan.streams.end(),
              [](const auto& a, const auto& b) { return a.stream < b.stream; });
    const core::StepResult result = engine.step(plan);
    ASSERT_EQ(result.status, core::StepStatus::kOk) << result.error;
    ASSERT_EQ(result.sampled.size(), sampling.size());
    for (const core::SampledToken& token : result.sampled) {
      const auto of = std::find_if(sampling.begin(), sampling.end(), [&](const Sequence* sequence) {
        return sequence->request->id == token.request;
      });
      ASSERT_NE(of, sampling.end());
      (*of)->sampled.push_back(token);
    }
    plan.drops.clear();
    plan.starts.clear();
    plan.streams.clear();
  }
}

std::vector<core::TokenId> run_alone(Engine& engine, core::LaneId lane,
                                     const std::vector<core::TokenId>& prompt,
                                     std::int32_t max_tokens) {
  Sequence sequence{.stream = 0, .request = greedy_request(1, prompt, max_tokens)};
  run(engine, lane, {&sequence});
  return sequence.tokens();
}

void expect_same(Engine& engine, core::LaneId lane, const std::vector<core::TokenId>& prompt,
                 const std::vector<core::TokenId>& expected,
                 const std::vector<core::TokenId>& actual) {
  const LogitGap gap = [&](std::size_t position, core::TokenId a, core::TokenId b) {
    std::vector<core::TokenId> before = prompt;
    before.insert(before.end(), expected.begin(),
                  expected.begin() + static_cast<std::ptrdiff_t>(position));
    auto request = greedy_request(1, std::move(before), 1);
    request->sampling.top_logprobs = kCandidates;
    Sequence sequence{.stream = 0, .request = request};
    run(engine, lane, {&sequence});
    float logprob_a = kFar;
    float logprob_b = -kFar;
    for (const core::TokenLogprob& top : sequence.sampled.at(0).top_logprobs) {
      if (top.token == a) logprob_a = top.logprob;
      if (top.token == b) logprob_b = top.logprob;
    }
    return logprob_a - logprob_b;
  };
  const TokenComparison comparison = compare_tokens(expected, actual, gap, kNearTie);
  EXPECT_TRUE(comparison.same) << comparison.explanation;
}

std::unique_ptr<Engine> LlamaEngineTest::engine_;
std::string LlamaEngineTest::load_error_;

void LlamaEngineTest::SetUpTestSuite() {
  auto loaded = load_llama_engine(test_options({"auto", "q8_0"}), nullptr);
  if (!loaded) {
    load_error_ = loaded.error().message;
    return;
  }
  engine_ = *std::move(loaded);
}

void LlamaEngineTest::TearDownTestSuite() { engine_.reset(); }

std::vector<core::TokenId> LlamaEngineTest::chat(const std::string& text) const {
  std::vector<ChatMessage> messages(1);
  messages[0].role = "user";
  messages[0].content = text;
  const auto prompt = engine_->tokenizer().apply_chat_template(messages);
  EXPECT_TRUE(prompt);
  return engine_->tokenizer().tokenize(*prompt, true, true);
}

}  // namespace switchyard::engine
