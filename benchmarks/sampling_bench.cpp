// What choosing one token costs: StreamSampler::sample() on a row of 49,152 logits. A step of 16
// streams pays it 16 times, and should spend no more than a twentieth of its 60 ms on it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "engine/llama/stream_sampler.h"

namespace switchyard::engine {
namespace {

constexpr std::size_t kVocabulary = 49'152;
constexpr std::int32_t kPromptTokens = 1000;

/// A normal bulk with a head that falls with the logarithm of the rank, as language models' do;
/// `spread` is the bulk's deviation.
std::vector<float> row(float spread, float head) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, spread);
  std::vector<float> logits(kVocabulary);
  for (float& logit : logits) logit = normal(random);
  for (int rank = 1; head > 0 && rank <= 300; ++rank) {
    logits[random() % kVocabulary] = head - 1.5F * std::log(static_cast<float>(rank));
  }
  return logits;
}

void sample(benchmark::State& state, const core::SamplingParams& sampling,
            const std::vector<float>& logits) {
  auto request = std::make_shared<core::Request>();
  request->sampling = sampling;
  for (std::int32_t i = 0; i < kPromptTokens; ++i) {
    request->prompt.push_back(i * 31 % static_cast<std::int32_t>(kVocabulary));
  }
  request->max_tokens = 200;
  const std::vector<core::TokenId> end_tokens = {2};
  auto sampler = std::make_unique<StreamSampler>(request, end_tokens);
  std::int32_t left = request->max_tokens;
  CandidateBuffer buffer;
  std::vector<float> work(logits);
  for (auto _ : state) {
    state.PauseTiming();  // the engine finds the row ready
    std::copy(logits.begin(), logits.end(), work.begin());
    if (left-- == 0) {
      sampler = std::make_unique<StreamSampler>(request, end_tokens);
      left = request->max_tokens;
    }
    state.ResumeTiming();
    benchmark::DoNotOptimize(sampler->sample(work, buffer));
  }
}

void add(const std::string& name, const core::SamplingParams& sampling) {
  const auto with = [&](const char* kind, std::vector<float> logits) {
    benchmark::RegisterBenchmark((name + kind).c_str(), [sampling, logits = std::move(logits)](
                                                            benchmark::State& state) {
      sample(state, sampling, logits);
    })->Unit(benchmark::kMicrosecond);
  };
  with("/model", row(2, 14));
  with("/flat", row(1, 0));
}

void add_all() {
  core::SamplingParams greedy;
  greedy.temperature = 0;
  add("greedy", greedy);
  core::SamplingParams warm;
  warm.temperature = 0.7F;
  add("t0.7", warm);
  core::SamplingParams top_p = warm;
  top_p.top_p = 0.95F;
  add("t0.7_p0.95", top_p);
  core::SamplingParams top_k = top_p;
  top_k.top_k = 40;
  add("t0.7_p0.95_k40", top_k);
  core::SamplingParams min_p = warm;
  min_p.min_p = 0.05F;
  add("t0.7_min_p0.05", min_p);
  core::SamplingParams wide_k = warm;
  wide_k.top_k = 5000;
  add("t0.7_k5000", wide_k);
  core::SamplingParams penalties = top_p;
  penalties.repetition_penalty = 1.1F;
  penalties.frequency_penalty = 0.5F;
  add("t0.7_p0.95_penalties", penalties);
  core::SamplingParams logprobs = top_p;
  logprobs.top_logprobs = 5;
  add("t0.7_p0.95_logprobs5", logprobs);
}

}  // namespace
}  // namespace switchyard::engine

int main(int argc, char** argv) {
  switchyard::engine::add_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
