#include "metrics/metrics.h"

#include <gmock/gmock.h>

namespace switchyard::metrics {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<core::LaneInfo> one_lane() {
  core::LaneInfo lane;
  lane.mode = "bf16";
  return {lane};
}

TEST(Metrics, ExposesNoInvalidNumberBeforeAnyRequest) {
  Metrics metrics;
  metrics.set_lanes("m", one_lane());
  const std::string text = metrics.render();
  EXPECT_THAT(text, HasSubstr("vllm:num_requests_running{engine=\"0\",model_name=\"m:bf16\"} 0"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, Not(HasSubstr("NaN")));
}

TEST(Metrics, ARequestThatNeverRanHasNoQueueTimeAndNoTtft) {
  Metrics metrics;
  metrics.set_lanes("m", one_lane());
  RequestOutcome outcome;
  outcome.finish = core::FinishReason::kCancelled;
  outcome.prompt_tokens = 9;
  metrics.on_finished(outcome);
  const std::string text = metrics.render();
  EXPECT_THAT(text, HasSubstr("finished_reason=\"abort\",model_name=\"m:bf16\"} 1"));
  EXPECT_THAT(text,
              HasSubstr("time_to_first_token_seconds_count{engine=\"0\",model_name=\"m:bf16\"} 0"));
  EXPECT_THAT(text,
              HasSubstr("request_queue_time_seconds_count{engine=\"0\",model_name=\"m:bf16\"} 0"));
  EXPECT_THAT(text, HasSubstr("prefix_cache_queries_total{engine=\"0\",model_name=\"m:bf16\"} 0"));
}

TEST(Metrics, CountsTheTokensOfAStepWhetherPromptOrDecode) {
  Metrics metrics;
  metrics.set_lanes("m", one_lane());
  metrics.on_step({.lane = 0, .prompt_tokens = 30, .decode_tokens = 2});
  metrics.on_step({.lane = 0, .decode_tokens = 1});
  const std::string text = metrics.render();
  const std::string lane = "{engine=\"0\",model_name=\"m:bf16\"";
  EXPECT_THAT(text, HasSubstr("vllm:iteration_tokens_total_sum" + lane + "} 33"));
  EXPECT_THAT(text, HasSubstr("vllm:iteration_tokens_total_bucket" + lane + ",le=\"1\"} 1"));
  EXPECT_THAT(text, HasSubstr("vllm:iteration_tokens_total_bucket" + lane + ",le=\"16\"} 1"));
  EXPECT_THAT(text, HasSubstr("vllm:iteration_tokens_total_bucket" + lane + ",le=\"32\"} 2"));
}

TEST(Metrics, SplitsAStepIntoItsParts) {
  Metrics metrics;
  metrics.set_lanes("m", one_lane());
  metrics.on_step({.lane = 0,
                   .prompt_tokens = 3,
                   .decode_tokens = 2,
                   .step_seconds = 1.0,
                   .evaluate_seconds = 0.5,
                   .sample_seconds = 0.25});
  const std::string text = metrics.render();
  EXPECT_THAT(text, HasSubstr("part=\"evaluate\"} 0.5"));
  EXPECT_THAT(text, HasSubstr("part=\"sample\"} 0.25"));
  EXPECT_THAT(text, HasSubstr("part=\"other\"} 0.25"));
  EXPECT_THAT(text, HasSubstr("prompt_tokens_total{engine=\"0\",model_name=\"m:bf16\"} 3"));
}

}  // namespace
}  // namespace switchyard::metrics
