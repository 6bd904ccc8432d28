#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <set>

#include "scheduler/fake_engine.h"
#include "scheduler/scheduler.h"

namespace switchyard::scheduler {
namespace {

/// A random life of a scheduler: arrivals, cancels (also while a step runs), expiry, failing and
/// aborted steps, against FakeEngine's rules and a record of what became of every request.
class RandomRun {
 public:
  explicit RandomRun(std::uint32_t seed)
      : random_(seed),
        store_bytes_(chance(3) ? 0 : pick(5'000, 60'000)),
        moves_(chance(2)),
        lanes_(make_lanes()),
        scheduler_(options(), lanes_),
        engine_(options(), lanes_) {
    waiting_.resize(lanes_.size());
  }

  void run() {
    for (int i = 0; i < 400 && engine_.error().empty(); ++i) {
      for (int n = pick(0, 2); n > 0; --n) arrive();
      if (chance(8)) cancel_one();
      if (chance(30)) expire();
      step();
    }
    for (int i = 0; i < 20000 && !scheduler_.idle() && engine_.error().empty(); ++i) step();
    EXPECT_EQ(engine_.error(), "");
    EXPECT_TRUE(scheduler_.idle()) << "work is stuck";
    EXPECT_TRUE(live_.empty()) << live_.size() << " requests were lost";
    for (const auto& [id, n] : ends_) EXPECT_EQ(n, 1) << "request " << id;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      EXPECT_EQ(scheduler_.load(static_cast<core::LaneId>(lane)).running, 0);
      EXPECT_EQ(scheduler_.load(static_cast<core::LaneId>(lane)).used_tokens, 0);
    }
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  bool chance(int one_in) { return pick(1, one_in) == 1; }

  Options options() {
    Options o;
    o.max_step_tokens = 40;
    o.max_prefill_tokens = 96;
    o.min_chunk_tokens = 8;
    o.prefix_store_bytes = store_bytes_;
    o.moves_streams = moves_;
    return o;
  }

  std::vector<core::LaneInfo> make_lanes() {
    std::vector<core::LaneInfo> lanes(pick(1, 3));
    for (core::LaneInfo& lane : lanes) {
      lane.stored_bytes_per_token = 10;
      lane.n_streams = pick(1, 12);
      lane.stream_capacity_tokens = pick(40, 300);
      lane.pool_capacity_tokens =
          static_cast<std::int64_t>(lane.n_streams) * lane.stream_capacity_tokens;
      if (chance(3))
        lane.pool_capacity_tokens = std::max<std::int64_t>(40, lane.pool_capacity_tokens / 2);
    }
    return lanes;
  }

  /// Prompts share prefixes often: a tiny vocabulary in long runs, or an earlier prompt continued.
  std::vector<core::TokenId> make_prompt(int n) {
    std::vector<core::TokenId> prompt;
    if (!history_.empty() && chance(2))
      prompt = history_[pick(0, static_cast<int>(history_.size()) - 1)];
    if (std::ssize(prompt) > n) prompt.resize(n);
    while (std::ssize(prompt) < n) prompt.push_back(chance(20) ? pick(1, 5) : 1);
    history_.push_back(prompt);
    if (history_.size() > 30) history_.erase(history_.begin());
    return prompt;
  }

  void arrive() {
    auto request = std::make_shared<core::Request>();
    request->id = ++last_id_;
    request->lane = pick(0, static_cast<int>(lanes_.size()) - 1);
    request->prompt = make_prompt(chance(5) ? pick(100, 320) : pick(1, 60));
    request->max_tokens = chance(10) ? 1 : pick(1, 40);
    request->arrival = core::TimePoint(std::chrono::seconds(last_id_));
    const core::LaneInfo& lane = lanes_[request->lane];
    const bool fits =
        std::ssize(request->prompt) + request->max_tokens <=
        std::min<std::int64_t>(lane.stream_capacity_tokens, lane.pool_capacity_tokens);
    EXPECT_EQ(scheduler_.add(request).has_value(), fits);
    if (!fits) return;
    live_[request->id] = request;
    waiting_[request->lane].push_back(request->id);
  }

  void gone(core::RequestId id) {
    ++ends_[id];
    std::erase(waiting_[live_.at(id)->lane], id);
    engine_.finish(id);
    live_.erase(id);
  }

  void cancel_one() {
    EXPECT_FALSE(scheduler_.cancel(last_id_ + 1000));
    if (live_.empty()) return;
    const auto victim =
        std::next(live_.begin(), pick(0, static_cast<int>(live_.size()) - 1))->first;
    EXPECT_TRUE(scheduler_.cancel(victim));
    EXPECT_FALSE(scheduler_.cancel(victim));
    gone(victim);
  }

  void expire() {
    const core::RequestId before = last_id_ > 30 ? last_id_ - 30 : 0;
    std::set<core::RequestId> expected;
    for (const auto& lane : waiting_) {
      for (const core::RequestId id : lane) {
        if (id < before) expected.insert(id);
      }
    }
    const auto expired = scheduler_.expire_waiting(core::TimePoint(std::chrono::seconds(before)));
    EXPECT_EQ(std::set(expired.begin(), expired.end()), expected);
    for (const core::RequestId id : expired) gone(id);
  }

  void step() {
    const auto plan = scheduler_.next_batch({});
    EXPECT_EQ(plan.has_value(), !scheduler_.idle());
    if (!plan) return;
    check_admission_order(*plan);
    if (chance(50)) {  // nothing happened: the same sequences must be planned again
      core::StepResult aborted;
      aborted.lane = plan->lane;
      aborted.status = core::StepStatus::kAborted;
      EXPECT_TRUE(scheduler_.on_step(aborted).ended.empty());
      return;
    }
    const bool fails = chance(60);
    engine_.lose_saves(chance(20));
    const auto result =
        fails ? engine_.fail(*plan) : engine_.step(*plan, [this](const core::Request&, int) {
          return chance(25) ? -1 : pick(1, 5);
        });
    if (chance(20)) cancel_one();
    finish(*plan, result);
  }

  void check_admission_order(const core::BatchPlan& plan) {
    std::set<core::RequestId> starts;
    for (const auto& start : plan.starts) {  // again after an aborted step
      if (admitted_.insert(start.request->id).second) starts.insert(start.request->id);
    }
    auto& queue = waiting_[plan.lane];
    while (!starts.empty()) {
      ASSERT_FALSE(queue.empty());
      ASSERT_EQ(starts.erase(queue.front()), 1U) << "admission out of order";
      queue.pop_front();
    }
  }

  void finish(const core::BatchPlan& plan, const core::StepResult& result) {
    std::set<core::RequestId> must_end;
    for (const auto& sampled : result.sampled) {
      if (!live_.contains(sampled.request)) continue;
      const int n = ++generated_[sampled.request];
      if (sampled.end_of_generation || n == live_.at(sampled.request)->max_tokens) {
        must_end.insert(sampled.request);
      }
    }
    if (result.status == core::StepStatus::kFailed) {
      for (const auto& planned : plan.streams) {
        if (live_.contains(planned.request)) must_end.insert(planned.request);
      }
    }
    std::set<core::RequestId> did_end;
    for (const Ended& ended : scheduler_.on_step(result).ended) {
      did_end.insert(ended.request);
      EXPECT_EQ(ended.reason == core::FinishReason::kError,
                result.status == core::StepStatus::kFailed);
    }
    EXPECT_EQ(did_end, must_end);
    for (const core::RequestId id : did_end) gone(id);
  }

  std::mt19937 random_;
  std::uint64_t store_bytes_;
  bool moves_;
  std::vector<core::LaneInfo> lanes_;
  Scheduler scheduler_;
  FakeEngine engine_;
  core::RequestId last_id_ = 0;
  std::vector<std::vector<core::TokenId>> history_;
  std::map<core::RequestId, std::shared_ptr<const core::Request>> live_;
  std::vector<std::deque<core::RequestId>> waiting_;
  std::set<core::RequestId> admitted_;
  std::map<core::RequestId, int> ends_;
  std::map<core::RequestId, int> generated_;
};

TEST(SchedulerProperty, EveryPlanIsExecutableAndEveryRequestEndsOnce) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomRun(seed).run();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace switchyard::scheduler
