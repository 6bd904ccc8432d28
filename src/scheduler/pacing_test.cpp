#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "scheduler/fake_engine.h"
#include "scheduler/scheduler.h"

namespace switchyard::scheduler {
namespace {

/// One lane of 16 streams; a step takes `step_seconds`.
struct Lane {
  explicit Lane(Options o = {}) : options(o) {
    core::LaneInfo info;
    info.n_streams = 16;
    info.stream_capacity_tokens = 4096;
    info.pool_capacity_tokens = 16 * 4096;
    info.prefill_tile_tokens = 64;
    scheduler = std::make_unique<Scheduler>(options, std::vector{info});
    engine = std::make_unique<FakeEngine>(options, std::vector{info});
  }

  core::RequestId add(int n_prompt, int max_tokens, int arrival_seconds = 0) {
    auto request = std::make_shared<core::Request>();
    request->id = ++last_id;
    request->prompt.resize(n_prompt);
    std::iota(request->prompt.begin(), request->prompt.end(),
              static_cast<core::TokenId>(last_id * 10'000));
    request->max_tokens = max_tokens;
    request->arrival = core::TimePoint(std::chrono::seconds(arrival_seconds));
    EXPECT_TRUE(scheduler->add(std::move(request)));
    return last_id;
  }

  core::BatchPlan step() {
    const core::BatchPlan plan = scheduler->next_batch({}).value();
    auto result = engine->step(plan, [](const core::Request&, int) { return 42; });
    result.evaluate_seconds = step_seconds;
    EXPECT_EQ(engine->error(), "");
    for (const Ended& e : scheduler->on_step(result).ended) engine->finish(e.request);
    return plan;
  }

  void run_until_all_decode() {
    const auto decoding = [this] {
      const core::BatchPlan plan = step();
      return prompt_tokens(plan) == 0 ? static_cast<int>(plan.streams.size()) : 0;
    };
    while (decoding() < static_cast<int>(last_id)) {
    }
  }

  static int prompt_tokens(const core::BatchPlan& plan) {
    return std::accumulate(plan.streams.begin(), plan.streams.end(), 0, [](int n, const auto& s) {
      return n + (s.tokens.size() > 1 ? static_cast<int>(s.tokens.size()) : 0);
    });
  }

  Options options;
  double step_seconds = 0;
  std::unique_ptr<Scheduler> scheduler;
  std::unique_ptr<FakeEngine> engine;
  core::RequestId last_id = 0;
};

TEST(Pacing, PrefillIsPutOffWhileManyLongSequencesDecodeButNotForEver) {
  Lane lane;
  for (int i = 0; i < 14; ++i) lane.add(1500, 2500);
  lane.run_until_all_decode();
  lane.add(700, 10);
  int put_off = 0;
  while (Lane::prompt_tokens(lane.step()) == 0) ++put_off;
  EXPECT_EQ(put_off, lane.options.max_deferred_steps);
  EXPECT_EQ(Lane::prompt_tokens(lane.step()), 0) << "the next chunk is put off again";
}

TEST(Pacing, PrefillIsNotPutOffForAFewSequences) {
  Lane lane;
  for (int i = 0; i < 4; ++i) lane.add(300, 1000);
  lane.run_until_all_decode();
  lane.add(700, 10);
  EXPECT_GE(Lane::prompt_tokens(lane.step()), 64);
}

TEST(Pacing, AChunkPutOffAtTheEndOfItsPromptIsShorterThanATile) {
  Lane lane;
  for (int i = 0; i < 14; ++i) lane.add(1500, 2500);
  lane.run_until_all_decode();
  lane.add(20, 10);
  int steps = 0;
  core::BatchPlan plan = lane.step();
  for (; Lane::prompt_tokens(plan) == 0; ++steps) plan = lane.step();
  EXPECT_LE(steps, lane.options.max_deferred_steps);
  EXPECT_EQ(Lane::prompt_tokens(plan), 20);
}

TEST(Pacing, AShortRequestOvertakesALongOneThatCameShortlyBefore) {
  Lane lane;
  lane.step_seconds = 0.1;
  for (int i = 0; i < 16; ++i) lane.add(10, 40);
  lane.step();  // all streams are taken, and a step's time is known
  const core::RequestId long_one = lane.add(2000, 200, 10);
  const core::RequestId short_one = lane.add(20, 10, 11);
  while (!lane.scheduler->idle()) lane.step();
  const auto& started = lane.engine->started();
  EXPECT_LT(std::find(started.begin(), started.end(), short_one),
            std::find(started.begin(), started.end(), long_one));
}

TEST(Pacing, WithoutOvertakingTheFirstComesFirst) {
  Options options;
  options.overtaking = 0;
  Lane lane(options);
  lane.step_seconds = 0.1;
  for (int i = 0; i < 16; ++i) lane.add(10, 40);
  lane.step();
  const core::RequestId long_one = lane.add(2000, 200, 10);
  const core::RequestId short_one = lane.add(20, 10, 11);
  while (!lane.scheduler->idle()) lane.step();
  const auto& started = lane.engine->started();
  EXPECT_LT(std::find(started.begin(), started.end(), long_one),
            std::find(started.begin(), started.end(), short_one));
}

}  // namespace
}  // namespace switchyard::scheduler
