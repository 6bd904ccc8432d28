#include "service/service.h"

#include <gmock/gmock.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/utf8.h"
#include "engine/sim/sim_engine.h"
#include "metrics/metrics.h"

namespace switchyard::service {
namespace {

using testing::HasSubstr;

/// Counts wake-ups and lets a test wait for the next one.
class Bell {
 public:
  void ring() {
    {
      std::lock_guard lock(mutex_);
      ++rings_;
    }
    rung_.notify_all();
  }
  void wait_past(int seen) {
    std::unique_lock lock(mutex_);
    rung_.wait(lock, [&] { return rings_ > seen; });
  }
  int rings() {
    std::lock_guard lock(mutex_);
    return rings_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable rung_;
  int rings_ = 0;
};

class ServiceTest : public testing::Test {
 protected:
  void start(engine::SimOptions sim = {}, ServiceOptions options = {}) {
    options.alias = "m";
    service_ = std::make_unique<Service>(options, metrics_);
    auto engine = engine::make_sim_engine(sim);
    ASSERT_TRUE(engine);
    service_->start(std::move(*engine));
  }

  GenerationRequest request(const std::string& prompt, std::int32_t max_tokens) {
    GenerationRequest r;
    r.prompt = service_->tokenizer().tokenize(prompt, false, false);
    r.max_tokens = max_tokens;
    r.sampling.temperature = 0;
    r.sampling.ignore_eos = true;
    return r;
  }

  struct Answer {
    std::vector<std::string> text;
    std::vector<core::FinishReason> finish;
    Usage usage;
    std::optional<Error> error;
    int pieces = 0;
  };

  Answer run(GenerationRequest r) {
    const auto n = static_cast<std::size_t>(r.n);
    Answer answer{std::vector<std::string>(n), std::vector<core::FinishReason>(n), {}, {}, 0};
    Bell bell;
    auto generation = submit(std::move(r), [&] { bell.ring(); });
    EXPECT_TRUE(generation);
    for (int seen = 0; !(*generation)->finished();) {
      bell.wait_past(seen);
      seen = bell.rings();
      for (Delta& delta : (*generation)->take()) {
        EXPECT_TRUE(is_valid_utf8(delta.text));
        ++answer.pieces;
        answer.text[delta.choice] += delta.text;
        if (delta.finish != core::FinishReason::kNone) answer.finish[delta.choice] = delta.finish;
        if (delta.error) answer.error = delta.error;
      }
    }
    answer.usage = (*generation)->usage();
    return answer;
  }

  Result<std::unique_ptr<Generation>> submit(GenerationRequest r,
                                             const std::function<void()>& wake) {
    std::vector<GenerationRequest> one;
    one.push_back(std::move(r));
    auto generations = service_->submit(std::move(one), wake);
    if (!generations) return generations.error();
    return std::move(generations->front());
  }

  double metric(const std::string& name) {
    const std::string text = metrics_.render();
    const auto at = text.find("\n" + name + " ");
    return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
  }

  /// Refusals stop once the engine thread has seen the cancellations.
  bool accepted_soon(const GenerationRequest& r) {
    for (int i = 0; i < 5000; ++i) {
      if (submit(r, [] {})) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  metrics::Metrics metrics_;
  std::unique_ptr<Service> service_;
};

TEST_F(ServiceTest, StreamedPiecesJoinToTheWholeAnswer) {
  start();
  auto streamed = request("unicode please", 40);
  streamed.stream = true;
  const Answer pieces = run(std::move(streamed));
  const Answer whole = run(request("unicode please", 40));
  EXPECT_EQ(pieces.text[0], whole.text[0]);
  EXPECT_GT(pieces.pieces, 1);
  EXPECT_EQ(whole.pieces, 1);
  EXPECT_EQ(whole.finish[0], core::FinishReason::kLength);
  EXPECT_EQ(whole.usage.completion_tokens, 40);
  EXPECT_EQ(whole.usage.prompt_tokens, 14);
}

TEST_F(ServiceTest, AStopStringEndsTheAnswerBeforeIt) {
  start();
  const std::string full = run(request("tell me", 60)).text[0];
  ASSERT_GT(full.size(), 20U);
  const std::string stop = full.substr(9, 4);
  auto stopped = request("tell me", 60);
  stopped.stop = {stop};
  stopped.stream = true;
  const Answer answer = run(std::move(stopped));
  EXPECT_EQ(answer.text[0], full.substr(0, full.find(stop)));
  EXPECT_EQ(answer.finish[0], core::FinishReason::kStop);
}

TEST_F(ServiceTest, ChoicesAreSeededApartAndCountThePromptOnce) {
  start();
  auto three = request("same prompt", 16);
  three.n = 3;
  three.sampling.temperature = 1;
  three.sampling.seed = 7;
  const Answer answer = run(std::move(three));
  EXPECT_NE(answer.text[0], answer.text[1]);
  EXPECT_NE(answer.text[1], answer.text[2]);
  EXPECT_EQ(answer.usage.prompt_tokens, 11);
  EXPECT_EQ(answer.usage.completion_tokens, 48);

  auto second = request("same prompt", 16);
  second.sampling.temperature = 1;
  second.sampling.seed = 8;
  EXPECT_EQ(run(std::move(second)).text[0], answer.text[1]);
}

TEST_F(ServiceTest, OnlyRequestsOfEqualSaltShareAPrefix) {
  start();
  const auto cached_tokens = [&](const std::string& salt) {
    auto salted = request("a prompt that is asked again and again", 1);
    salted.cache_salt = salt;
    salted.n = 2;
    return run(std::move(salted)).usage.cached_tokens;
  };
  EXPECT_EQ(cached_tokens("one"), 0);
  EXPECT_EQ(cached_tokens("two"), 0);
  EXPECT_EQ(cached_tokens(""), 0);
  EXPECT_GT(cached_tokens("one"), 0);
  EXPECT_GT(cached_tokens("two"), 0);
  EXPECT_GT(cached_tokens(""), 0);
}

TEST_F(ServiceTest, MaxTokensIsClampedToTheContext) {
  engine::SimOptions sim;
  sim.stream_capacity_tokens = 64;
  start(sim);
  const Answer answer = run(request(std::string(60, 'x'), 1'000'000));
  EXPECT_EQ(answer.usage.completion_tokens, 4);
  EXPECT_EQ(answer.finish[0], core::FinishReason::kLength);
}

TEST_F(ServiceTest, APromptThatLeavesNoRoomIsRefusedWithBothCounts) {
  engine::SimOptions sim;
  sim.stream_capacity_tokens = 64;
  start(sim);
  for (const std::size_t length : {64U, 65U, 640U}) {
    const auto refused = submit(request(std::string(length, 'x'), 1), [] {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kContextLengthExceeded);
    EXPECT_THAT(refused.error().message, HasSubstr("64"));
    EXPECT_THAT(refused.error().message, HasSubstr(std::to_string(length)));
  }
  EXPECT_EQ(run(request(std::string(63, 'x'), 5)).usage.completion_tokens, 1);
}

TEST_F(ServiceTest, APromptLargerThanThePoolIsRefusedAndSmallOnesRun) {
  engine::SimOptions sim;
  sim.stream_capacity_tokens = 64;
  sim.pool_capacity_tokens = 40;
  start(sim);
  EXPECT_FALSE(submit(request(std::string(50, 'x'), 4), [] {}));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(request("short", 4)).usage.completion_tokens, 4);
}

TEST_F(ServiceTest, AFullQueueRefusesAndRecovers) {
  engine::SimOptions sim;
  sim.streams = 1;
  sim.cost.step_us = 2000;
  ServiceOptions options;
  options.queue_limit = 4;
  start(sim, options);
  std::vector<std::unique_ptr<Generation>> held;
  int refused = 0;
  for (int i = 0; i < 20; ++i) {
    auto generation = submit(request("hello", 400), [] {});
    if (generation) {
      held.push_back(std::move(*generation));
    } else {
      EXPECT_EQ(generation.error().code, ErrorCode::kQueueFull);
      ++refused;
    }
  }
  EXPECT_GE(refused, 15);
  held.clear();  // the readers leave: everything is cancelled
  EXPECT_TRUE(accepted_soon(request("hello", 4)));
}

TEST_F(ServiceTest, OfSeveralRequestsAllAreAdmittedOrNone) {
  engine::SimOptions sim;
  sim.stream_capacity_tokens = 64;
  sim.streams = 1;
  ServiceOptions options;
  options.queue_limit = 4;
  start(sim, options);
  const std::string too_long(64, 'x');
  const auto refused = service_->submit({request("fits", 2), request(too_long, 2)}, [] {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kContextLengthExceeded);

  auto three = request("three", 2);
  three.n = 3;
  const auto too_many = service_->submit({three, three}, [] {});
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().code, ErrorCode::kQueueFull);

  // Had any of them run, some of this room would be taken and its tokens be counted.
  Bell bell;
  const auto all =
      service_->submit({three, request("a", 2), request("b", 2)}, [&] { bell.ring(); });
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 3U);
  for (int seen = 0; !(*all)[0]->finished() || !(*all)[1]->finished() || !(*all)[2]->finished();) {
    bell.wait_past(seen);
    seen = bell.rings();
    for (const auto& generation : *all) generation->take();
  }
  EXPECT_EQ((*all)[0]->usage().completion_tokens, 6);
  EXPECT_EQ((*all)[1]->usage().completion_tokens, 2);
  EXPECT_EQ(metric("vllm:generation_tokens_total{engine=\"0\",model_name=\"m:f16\"}"), 10);
}

TEST_F(ServiceTest, WaitingPastTheQueueTimeoutEndsWithAnError) {
  engine::SimOptions sim;
  sim.streams = 1;
  sim.cost.step_us = 5000;
  ServiceOptions options;
  options.queue_limit = 4;
  options.queue_timeout_seconds = 0.02;
  start(sim, options);
  auto busy = submit(request("long", 2000), [] {});
  ASSERT_TRUE(busy);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const Answer late = run(request("late", 4));
  ASSERT_TRUE(late.error);
  EXPECT_EQ(late.error->code, ErrorCode::kQueueTimeout);
}

TEST_F(ServiceTest, TheQueueLimitDoesNotCountWhatFindsAFreeStream) {
  ServiceOptions options;
  options.queue_limit = 0;
  start({}, options);
  auto eight = request("hello", 4);
  eight.n = 8;
  EXPECT_EQ(run(std::move(eight)).usage.completion_tokens, 32);
}

TEST_F(ServiceTest, LogprobsNeverReachIntoAStopString) {
  start();
  const std::string full = run(request("tell me", 60)).text[0];
  const std::string stop = full.substr(9, 4);
  auto stopped = request("tell me", 60);
  stopped.stop = {stop};
  stopped.stream = true;
  stopped.sampling.top_logprobs = 0;
  Bell bell;
  auto generation = submit(std::move(stopped), [&] { bell.ring(); });
  ASSERT_TRUE(generation);
  std::string text;
  std::string tokens;
  for (int seen = 0; !(*generation)->finished();) {
    bell.wait_past(seen);
    seen = bell.rings();
    for (const Delta& delta : (*generation)->take()) {
      text += delta.text;
      for (const TokenLogprobText& logprob : delta.logprobs) tokens += logprob.token;
      EXPECT_EQ(tokens, text) << "a token is shown exactly when its text is";
    }
  }
  EXPECT_EQ(text, full.substr(0, full.find(stop)));
}

TEST_F(ServiceTest, AChoiceThatFailsWakesTheReaderOfAWholeAnswer) {
  engine::SimOptions sim;
  sim.streams = 1;
  sim.cost.step_us = 5000;
  ServiceOptions options;
  options.queue_limit = 4;
  options.queue_timeout_seconds = 0.02;
  start(sim, options);
  auto two = request("one runs, one waits", 2000);
  two.n = 2;
  Bell bell;
  auto generation = submit(std::move(two), [&] { bell.ring(); });
  ASSERT_TRUE(generation);
  bell.wait_past(0);
  bool failed = false;
  for (const Delta& delta : (*generation)->take()) failed = failed || delta.error.has_value();
  EXPECT_TRUE(failed);
  EXPECT_FALSE((*generation)->finished());
}

TEST_F(ServiceTest, ALeavingNeighbourDoesNotChangeTheAnswer) {
  start();
  const std::string alone = run(request("A streams", 200)).text[0];
  for (int round = 0; round < 20; ++round) {
    auto neighbour = submit(request("B leaves " + std::to_string(round), 300), [] {});
    ASSERT_TRUE(neighbour);
    std::thread leaver([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(round % 5));
      neighbour->reset();
    });
    EXPECT_EQ(run(request("A streams", 200)).text[0], alone);
    leaver.join();
  }
}

TEST_F(ServiceTest, StoppingEndsWhatRunsAndRefusesWhatComes) {
  start();
  Bell bell;
  auto running = submit(request("endless", 4000), [&] { bell.ring(); });
  ASSERT_TRUE(running);
  service_->begin_shutdown();
  EXPECT_EQ(submit(request("late", 4), [] {}).error().code, ErrorCode::kShuttingDown);
  service_->stop();
  bell.wait_past(0);
  const auto deltas = (*running)->take();
  ASSERT_EQ(deltas.size(), 1U);
  EXPECT_EQ(deltas[0].finish, core::FinishReason::kCancelled);
  EXPECT_TRUE((*running)->finished());
}

TEST_F(ServiceTest, BeforeTheEngineIsThereARequestIsRefusedAsLoading) {
  Service loading({}, metrics_);
  EXPECT_EQ(loading.submit({{}}, [] {}).error().code, ErrorCode::kLoading);
}

TEST_F(ServiceTest, AnUnknownModelNamesTheChoices) {
  start();
  const auto found = service_->find_model("m:q8_0");
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, 1);
  EXPECT_EQ(*service_->find_model("m"), 0);
  const auto missing = service_->find_model("m:nosuchmode");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("m:f16"));
  EXPECT_THAT(missing.error().message, testing::Not(HasSubstr("nosuchmode")));
}

TEST_F(ServiceTest, EveryReceivedRequestIsCountedOnceWhenItEnds) {
  start();
  for (int i = 0; i < 5; ++i) run(request("count", 3));
  auto n = request("count", 3);
  n.n = 4;
  run(std::move(n));
  const std::string name =
      "vllm:request_success_total{engine=\"0\",finished_reason=\"length\",model_name=\"m:f16\"}";
  EXPECT_EQ(metric(name), 6);
  EXPECT_EQ(metric("vllm:generation_tokens_total{engine=\"0\",model_name=\"m:f16\"}"), 27);
}

}  // namespace
}  // namespace switchyard::service
