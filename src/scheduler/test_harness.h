#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "scheduler/fake_engine.h"
#include "scheduler/scheduler.h"

/// For tests: a scheduler on FakeEngine, and the shapes of its plans.
namespace switchyard::scheduler {

inline core::LaneInfo lane_of(std::int32_t n_streams, std::int32_t capacity = 4096) {
  core::LaneInfo info;
  info.n_streams = n_streams;
  info.stream_capacity_tokens = capacity;
  info.pool_capacity_tokens = static_cast<std::int64_t>(n_streams) * capacity;
  return info;
}

/// Each request's prompt is its own run of tokens, so that nothing is shared by accident.
inline std::shared_ptr<core::Request> request(core::RequestId id, int n_prompt, int max_tokens,
                                              core::LaneId lane = 0) {
  auto r = std::make_shared<core::Request>();
  r->id = id;
  r->lane = lane;
  r->prompt.resize(n_prompt);
  std::iota(r->prompt.begin(), r->prompt.end(), static_cast<core::TokenId>(id * 10'000));
  r->max_tokens = max_tokens;
  return r;
}

/// Scheduler and engine together; the sampled token never ends a sequence unless told.
struct Harness {
  explicit Harness(std::vector<core::LaneInfo> lanes, Options options = {})
      : scheduler(options, lanes), engine(options, lanes) {}

  void add(std::shared_ptr<const core::Request> r) { ASSERT_TRUE(scheduler.add(std::move(r))); }

  core::BatchPlan step() {
    auto plan = scheduler.next_batch({});
    EXPECT_TRUE(plan.has_value());
    if (!plan) return {};
    const auto result = engine.step(
        *plan, [&](const core::Request& r, int) { return ending.contains(r.id) ? -1 : 42; });
    EXPECT_EQ(engine.error(), "");
    for (const Ended& e : scheduler.on_step(result).ended) {
      ended.push_back(e);
      engine.finish(e.request);
    }
    return *plan;
  }

  void cancel(core::RequestId id) {
    EXPECT_TRUE(scheduler.cancel(id));
    engine.finish(id);
  }

  Scheduler scheduler;
  FakeEngine engine;
  std::set<core::RequestId> ending;
  std::vector<Ended> ended;
};

/// {stream, tokens} of a plan, padding as negative counts.
inline std::vector<std::pair<int, int>> shape(const core::BatchPlan& plan) {
  std::vector<std::pair<int, int>> out;
  for (const auto& s : plan.streams) {
    const int n = static_cast<int>(s.tokens.size());
    out.emplace_back(s.stream, s.padding ? -n : n);
  }
  return out;
}

using P = std::pair<int, int>;

}  // namespace switchyard::scheduler
