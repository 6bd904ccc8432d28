// What a step costs on this machine: prompt chunks and decodes at two context lengths, through the
// engine interface. The figures of docs/adr/0002 come from here.
//
//   build/release/benchmarks/pass_cost MODEL.gguf [MODE]
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "engine/llama/llama_engine.h"

namespace {

using namespace switchyard;

constexpr std::int32_t kStreams = 16;
constexpr std::int32_t kContext = 1280;
constexpr int kRounds = 5;

std::shared_ptr<const core::Request> make_request(core::RequestId id) {
  auto request = std::make_shared<core::Request>();
  request->id = id;
  for (std::int32_t i = 0; i < kContext; ++i) {
    request->prompt.push_back(static_cast<core::TokenId>(100 + (i * 7 + id * 13) % 40'000));
  }
  request->max_tokens = 1;
  request->sampling.temperature = 0;
  return request;
}

class Bench {
 public:
  explicit Bench(engine::Engine& engine) : engine_(engine) {
    for (std::int32_t i = 0; i < kStreams; ++i) requests_.push_back(make_request(i + 1));
  }

  /// Fills every stream up to `context` tokens.
  void fill(std::int32_t context) {
    for (core::StreamId stream = 0; stream < kStreams; ++stream) {
      for (std::int32_t at = 0; at < context; at += 256) {
        core::BatchPlan plan;
        if (at == 0) plan.starts.push_back({stream, 0, requests_[stream]});
        plan.streams.push_back(tokens(stream, at, std::min(256, context - at)));
        engine_.step(plan);
      }
    }
  }

  /// Median seconds of `count` tokens behind `context` in each of the first `streams` streams.
  double seconds(std::int32_t context, std::int32_t streams, std::int32_t count) {
    std::vector<double> samples;
    for (int round = 0; round < kRounds; ++round) {
      core::BatchPlan plan;
      for (core::StreamId stream = 0; stream < streams; ++stream) {
        plan.starts.push_back({stream, context, requests_[stream]});
        plan.streams.push_back(tokens(stream, context, count));
      }
      samples.push_back(engine_.step(plan).evaluate_seconds);
    }
    std::nth_element(samples.begin(), samples.begin() + kRounds / 2, samples.end());
    return samples[kRounds / 2];
  }

 private:
  core::StreamTokens tokens(core::StreamId stream, std::int32_t at, std::int32_t count) const {
    core::StreamTokens entry;
    entry.stream = stream;
    entry.request = requests_[stream]->id;
    entry.position = at;
    const auto first = requests_[stream]->prompt.begin() + at;
    entry.tokens.assign(first, first + count);
    return entry;
  }

  engine::Engine& engine_;
  std::vector<std::shared_ptr<const core::Request>> requests_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: pass_cost MODEL.gguf [MODE]\n", stderr);
    return 2;
  }
  engine::LlamaOptions options;
  options.model_path = argv[1];
  if (argc > 2) options.modes = {argv[2]};
  options.max_sequences = kStreams;
  options.context_tokens = kContext;
  auto loaded = engine::load_llama_engine(options, [](float) {});
  if (!loaded) {
    std::fprintf(stderr, "pass_cost: %s\n", loaded.error().message.c_str());
    return 1;
  }
  Bench bench(**loaded);
  for (const std::int32_t context : {64, 768}) {
    bench.fill(context);
    std::printf("context %d\n", context);
    for (const std::int32_t n : {1, 4, 8, 16}) {
      std::printf("  decode of %2d streams %8.1f ms\n", n, 1e3 * bench.seconds(context, n, 1));
    }
    for (const std::int32_t n : {16, 32, 47, 63, 64, 128, 256}) {
      std::printf("  chunk of %3d tokens  %8.1f ms\n", n, 1e3 * bench.seconds(context, 1, n));
    }
  }
  return 0;
}
