#include <gtest/gtest.h>

#include <variant>

#include "prefix/test_tokens.h"
#include "scheduler/fake_engine.h"
#include "scheduler/scheduler.h"

namespace switchyard::scheduler {
namespace {

using prefix::join;
using prefix::range;
using prefix::Tokens;

/// A lane of FakeEngine; every sequence is one output token long unless told.
struct Lane {
  explicit Lane(std::int32_t n_streams, std::uint64_t store_bytes = 1 << 20) {
    options.prefix_store_bytes = store_bytes;
    core::LaneInfo info;
    info.n_streams = n_streams;
    info.stream_capacity_tokens = 4096;
    info.pool_capacity_tokens = std::int64_t{n_streams} * 4096;
    info.stored_bytes_per_token = 100;
    scheduler = std::make_unique<Scheduler>(options, std::vector{info});
    engine = std::make_unique<FakeEngine>(options, std::vector{info});
  }

  core::RequestId add(Tokens prompt, int max_tokens = 1, std::string salt = "") {
    auto request = std::make_shared<core::Request>();
    request->id = ++last_id;
    request->prompt = std::move(prompt);
    request->max_tokens = max_tokens;
    request->cache_salt = std::move(salt);
    EXPECT_TRUE(scheduler->add(std::move(request)));
    return last_id;
  }

  core::BatchPlan step() {
    const core::BatchPlan plan = scheduler->next_batch({}).value();
    const auto result = engine->step(plan, [](const core::Request&, int) { return 42; });
    EXPECT_EQ(engine->error(), "");
    for (const Ended& e : scheduler->on_step(result).ended) engine->finish(e.request);
    return plan;
  }

  void finish_all() {
    while (!scheduler->idle()) step();
  }

  Options options;
  std::unique_ptr<Scheduler> scheduler;
  std::unique_ptr<FakeEngine> engine;
  core::RequestId last_id = 0;
};

const core::SequenceStart& only_start(const core::BatchPlan& plan) {
  EXPECT_EQ(plan.starts.size(), 1U);
  return plan.starts.front();
}

TEST(PrefixSharing, ATurnWhoseStreamWasTakenIsRestoredFromTheStore) {
  Lane lane(1);
  lane.add(range(0, 200));
  lane.finish_all();
  lane.add(range(9000, 100));
  const core::BatchPlan other = lane.step();
  ASSERT_EQ(other.saves.size(), 1U);
  EXPECT_EQ(other.saves[0].n_tokens, 200);
  lane.finish_all();

  lane.add(join(range(0, 200), range(500, 10)));
  const core::SequenceStart start = only_start(lane.step());
  EXPECT_EQ(start.keep_tokens, 200);
  EXPECT_EQ(std::get<core::StoredPrefix>(start.source).prefix, other.saves[0].prefix);
}

TEST(PrefixSharing, WithoutAStoreATakenStreamIsLost) {
  Lane lane(1, 0);
  lane.add(range(0, 200));
  lane.finish_all();
  lane.add(range(9000, 100));
  EXPECT_TRUE(lane.step().saves.empty());
  lane.finish_all();
  lane.add(range(0, 210));
  EXPECT_EQ(only_start(lane.step()).keep_tokens, 0);
}

TEST(PrefixSharing, ARunningSequencesPrefixIsCopied) {
  Lane lane(4);
  lane.add(range(0, 300), 50);
  lane.step();
  lane.add(join(range(0, 250), range(700, 5)));
  const core::SequenceStart start = only_start(lane.step());
  EXPECT_EQ(start.keep_tokens, 250);
  EXPECT_EQ(std::get<core::OtherStream>(start.source).stream, 0);
}

TEST(PrefixSharing, EqualPromptsAtOnceAreComputedOnce) {
  Lane lane(4);
  for (int i = 0; i < 4; ++i) lane.add(range(0, 400), 20);
  int prompt_tokens = 0;
  for (int i = 0; i < 10; ++i) {
    for (const auto& entry : lane.step().streams) {
      if (entry.position < 400) prompt_tokens += static_cast<int>(entry.tokens.size());
    }
  }
  EXPECT_EQ(prompt_tokens, 400 + 3);
}

TEST(PrefixSharing, AShorterSharedStartThanACopyIsWorthIsPrefilled) {
  Lane lane(4);
  lane.add(join(range(0, 10), range(100, 300)), 50);
  lane.step();
  lane.add(join(range(0, 10), range(900, 300)), 50);
  EXPECT_EQ(only_start(lane.step()).keep_tokens, 0);
}

TEST(PrefixSharing, OtherSaltsShareNeitherStreamsNorTheStore) {
  Lane lane(2);
  lane.add(range(0, 200), 1, "tenant a");
  lane.finish_all();
  lane.add(range(0, 200), 1, "tenant b");
  EXPECT_EQ(only_start(lane.step()).keep_tokens, 0);
  lane.finish_all();
  lane.add(range(0, 200), 1, "tenant b");
  EXPECT_EQ(only_start(lane.step()).keep_tokens, 199);
}

TEST(PrefixSharing, ASaveThatFoundNoMemoryIsNeverRestored) {
  Lane lane(1);
  lane.add(range(0, 200));
  lane.finish_all();
  lane.engine->lose_saves(true);
  lane.add(range(9000, 100));
  EXPECT_EQ(lane.step().saves.size(), 1U);
  EXPECT_EQ(lane.scheduler->load(0).stored_prefix_bytes, 0U);
  lane.finish_all();
  lane.add(range(0, 210));
  EXPECT_EQ(only_start(lane.step()).keep_tokens, 0);
}

TEST(PrefixSharing, AGrownConversationReplacesWhatWasStoredOfIt) {
  Lane lane(1);
  lane.add(range(0, 200));
  lane.finish_all();
  for (int turn = 1; turn <= 3; ++turn) {
    lane.add(range(9000 + turn * 100, 10));  // too short to be stored itself
    lane.finish_all();
    lane.add(range(0, 200 + 50 * turn));
    lane.finish_all();
  }
  // The one stored prefix is the conversation's before its last turn: 300 tokens.
  EXPECT_LT(lane.scheduler->load(0).stored_prefix_bytes, 301U * 100 + 4097);
  EXPECT_GT(lane.scheduler->load(0).stored_prefix_bytes, 300U * 100);
}

TEST(PrefixSharing, AFailedStepsSavesAreGivenUpInTheNext) {
  Lane lane(1);
  lane.add(range(0, 200));
  lane.finish_all();
  lane.add(range(9000, 100));
  const core::BatchPlan plan = lane.scheduler->next_batch({}).value();
  ASSERT_EQ(plan.saves.size(), 1U);
  lane.scheduler->on_step(lane.engine->fail(plan));
  lane.engine->finish(lane.last_id);
  EXPECT_EQ(lane.scheduler->load(0).stored_prefix_bytes, 0U);
  lane.add(range(5000, 100));
  const core::BatchPlan next = lane.step();
  EXPECT_EQ(next.evictions, std::vector<core::PrefixId>{plan.saves[0].prefix});
}

}  // namespace
}  // namespace switchyard::scheduler
