// What a step costs outside the engine: next_batch() + on_step() with 64 running sequences and
// 10,000 waiting, and what add() and cancel() of a waiting request cost.
#include <benchmark/benchmark.h>

#include <memory>
#include <numeric>

#include "scheduler/scheduler.h"

namespace switchyard::scheduler {
namespace {

constexpr std::int32_t kStreams = 64;
constexpr int kWaiting = 10'000;

core::LaneInfo lane() {
  core::LaneInfo info;
  info.n_streams = kStreams;
  info.stream_capacity_tokens = 4096;
  info.pool_capacity_tokens = std::int64_t{kStreams} * info.stream_capacity_tokens;
  return info;
}

std::shared_ptr<const core::Request> request(core::RequestId id, int n_prompt, int max_tokens) {
  auto r = std::make_shared<core::Request>();
  r->id = id;
  r->prompt.resize(n_prompt);
  // A shared system prompt of 200 tokens, then something of its own.
  std::iota(r->prompt.begin(), r->prompt.end(), 0);
  for (int i = 200; i < n_prompt; ++i) r->prompt[i] = static_cast<core::TokenId>(id % 50'000);
  r->max_tokens = max_tokens;
  return r;
}

/// One step, with the engine replaced by a constant token.
void step(Scheduler& scheduler, core::StepResult& result) {
  const auto plan = scheduler.next_batch({});
  result.sampled.clear();
  for (const core::StreamTokens& s : plan->streams) {
    if (s.sample) result.sampled.push_back({s.request, 7, false, 0.0F, {}});
  }
  benchmark::DoNotOptimize(scheduler.on_step(result));
}

/// `max_tokens` sets how often a sequence ends and the next is admitted: 4,000 hardly ever.
void bench_step(benchmark::State& state) {
  Scheduler scheduler({}, {lane()});
  core::RequestId id = 0;
  const auto refill = [&] {
    while (scheduler.waiting() < kWaiting) {
      if (!scheduler.add(request(++id, 60, static_cast<int>(state.range(0))))) std::abort();
    }
  };
  core::StepResult result;
  refill();
  for (int i = 0; i < 100; ++i) step(scheduler, result);
  for (auto _ : state) {
    if (scheduler.waiting() < kWaiting / 2) {
      state.PauseTiming();
      refill();
      state.ResumeTiming();
    }
    step(scheduler, result);
  }
}
BENCHMARK(bench_step)->Arg(4000)->Arg(100)->Unit(benchmark::kMicrosecond);

/// A step that admits a 1,000-token prompt, its prefix looked up in 63 streams that share 200.
void bench_admission(benchmark::State& state) {
  Scheduler scheduler({}, {lane()});
  core::StepResult result;
  core::RequestId id = 0;
  for (; id < kStreams; ++id) {
    if (!scheduler.add(request(id + 1, 1000, 1))) std::abort();
  }
  while (!scheduler.idle()) step(scheduler, result);
  for (auto _ : state) {
    if (!scheduler.add(request(++id, 1000, 1))) std::abort();
    while (!scheduler.idle()) step(scheduler, result);
  }
}
BENCHMARK(bench_admission)->Unit(benchmark::kMicrosecond);

void bench_add_and_cancel(benchmark::State& state) {
  Scheduler scheduler({}, {lane()});
  core::RequestId id = 0;
  for (; id < kWaiting; ++id) {
    if (!scheduler.add(request(id + 1, 60, 100))) std::abort();
  }
  const auto next = request(++id, 60, 100);
  for (auto _ : state) {
    benchmark::DoNotOptimize(scheduler.add(next));
    benchmark::DoNotOptimize(scheduler.cancel(id));
  }
}
BENCHMARK(bench_add_and_cancel)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace switchyard::scheduler

BENCHMARK_MAIN();
