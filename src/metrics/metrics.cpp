#include "metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <sstream>

namespace switchyard::metrics {
namespace {

using Buckets = prometheus::Histogram::BucketBoundaries;

const Buckets kTtftBuckets{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5,
                           0.75,  1,     2.5,  5,    7.5,  10,   20,   40,  80};
const Buckets kGapBuckets{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2,
                          0.3,   0.4,  0.5,   0.75, 1,     2.5, 5,    10};
const Buckets kStepTokenBuckets{1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384};
const Buckets kRequestBuckets{0.05, 0.1, 0.3, 0.5, 0.8, 1,  1.5, 2,   2.5,
                              5,    10,  15,  20,  30,  60, 120, 240, 480};

/// One lane's time series: looked up once, when the lane is known.
struct LaneSeries {
  prometheus::Gauge* running;
  prometheus::Gauge* waiting;
  prometheus::Gauge* kv_usage;
  prometheus::Counter* prompt_tokens;
  prometheus::Counter* generation_tokens;
  prometheus::Counter* prefix_queries;
  prometheus::Counter* prefix_hits;
  prometheus::Counter* steps;
  prometheus::Counter* step_evaluate;
  prometheus::Counter* step_sample;
  prometheus::Counter* step_other;
  prometheus::Histogram* step_tokens;
  prometheus::Histogram* ttft;
  prometheus::Histogram* inter_token;
  prometheus::Histogram* e2e;
  prometheus::Histogram* queue_time;
  prometheus::Counter* success_stop;
  prometheus::Counter* success_length;
  prometheus::Counter* success_abort;
  prometheus::Counter* success_error;
};

}  // namespace

/// Every family of the process, declared here and nowhere else.
struct Metrics::Impl {
  prometheus::Registry registry;

  prometheus::Family<prometheus::Gauge>& gauge(const char* name, const char* help) {
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
  }
  prometheus::Family<prometheus::Counter>& counter(const char* name, const char* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
  }
  prometheus::Family<prometheus::Histogram>& histogram(const char* name, const char* help) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
  }

  prometheus::Family<prometheus::Gauge>& running =
      gauge("vllm:num_requests_running", "Sequences in a KV stream.");
  prometheus::Family<prometheus::Gauge>& waiting =
      gauge("vllm:num_requests_waiting", "Sequences waiting for a KV stream.");
  prometheus::Family<prometheus::Gauge>& kv_usage =
      gauge("vllm:kv_cache_usage_perc", "Share of KV memory filled by running sequences, 0-1.");
  prometheus::Family<prometheus::Counter>& prompt_tokens =
      counter("vllm:prompt_tokens_total", "Prompt tokens evaluated.");
  prometheus::Family<prometheus::Counter>& generation_tokens =
      counter("vllm:generation_tokens_total", "Tokens sampled by finished requests.");
  prometheus::Family<prometheus::Counter>& prefix_queries =
      counter("vllm:prefix_cache_queries_total", "Prompt tokens looked up for prefix reuse.");
  prometheus::Family<prometheus::Counter>& prefix_hits =
      counter("vllm:prefix_cache_hits_total", "Prompt tokens taken from KV memory.");
  prometheus::Family<prometheus::Histogram>& step_tokens = histogram(
      "vllm:iteration_tokens_total", "Tokens evaluated per engine step, prompt and decode.");
  prometheus::Family<prometheus::Histogram>& ttft =
      histogram("vllm:time_to_first_token_seconds", "Arrival to first token.");
  prometheus::Family<prometheus::Histogram>& inter_token =
      histogram("vllm:inter_token_latency_seconds", "Gap between tokens of a sequence.");
  prometheus::Family<prometheus::Histogram>& e2e =
      histogram("vllm:e2e_request_latency_seconds", "Arrival to the end of a completed request.");
  prometheus::Family<prometheus::Histogram>& queue_time =
      histogram("vllm:request_queue_time_seconds", "Arrival to admission into a KV stream.");
  prometheus::Family<prometheus::Counter>& success =
      counter("vllm:request_success_total", "Requests ended, by finished_reason.");
  prometheus::Family<prometheus::Counter>& steps =
      counter("switchyard_steps_total", "Engine steps.");
  prometheus::Family<prometheus::Counter>& step_seconds = counter(
      "switchyard_step_seconds_total", "Time of engine steps, by part: evaluate, sample, other.");
  prometheus::Counter& received =
      counter("switchyard_requests_received_total",
              "Well-formed generation requests; equals ended + rejected + in flight.")
          .Add({});
  prometheus::Family<prometheus::Counter>& rejected =
      counter("switchyard_requests_rejected_total", "Requests refused at admission, by reason.");
  prometheus::Family<prometheus::Counter>& http =
      counter("switchyard_http_responses_total", "HTTP responses by status.");

  std::vector<LaneSeries> lanes;  // written once, before the engine thread starts

  LaneSeries make_lane(const prometheus::Labels& labels);
};

LaneSeries Metrics::Impl::make_lane(const prometheus::Labels& labels) {
  const auto with = [&](const char* key, const char* value) {
    prometheus::Labels extended = labels;
    extended.emplace(key, value);
    return extended;
  };
  return LaneSeries{
      .running = &running.Add(labels),
      .waiting = &waiting.Add(labels),
      .kv_usage = &kv_usage.Add(labels),
      .prompt_tokens = &prompt_tokens.Add(labels),
      .generation_tokens = &generation_tokens.Add(labels),
      .prefix_queries = &prefix_queries.Add(labels),
      .prefix_hits = &prefix_hits.Add(labels),
      .steps = &steps.Add(labels),
      .step_evaluate = &step_seconds.Add(with("part", "evaluate")),
      .step_sample = &step_seconds.Add(with("part", "sample")),
      .step_other = &step_seconds.Add(with("part", "other")),
      .step_tokens = &step_tokens.Add(labels, kStepTokenBuckets),
      .ttft = &ttft.Add(labels, kTtftBuckets),
      .inter_token = &inter_token.Add(labels, kGapBuckets),
      .e2e = &e2e.Add(labels, kRequestBuckets),
      .queue_time = &queue_time.Add(labels, kRequestBuckets),
      .success_stop = &success.Add(with("finished_reason", "stop")),
      .success_length = &success.Add(with("finished_reason", "length")),
      .success_abort = &success.Add(with("finished_reason", "abort")),
      .success_error = &success.Add(with("finished_reason", "error")),
  };
}

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}
Metrics::~Metrics() = default;

void Metrics::set_lanes(const std::string& model_alias, const std::vector<core::LaneInfo>& lanes) {
  for (const core::LaneInfo& lane : lanes) {
    impl_->lanes.push_back(
        impl_->make_lane({{"model_name", model_alias + ":" + lane.mode}, {"engine", "0"}}));
  }
}

void Metrics::set_load(core::LaneId lane, std::int64_t running, std::int64_t waiting,
                       double kv_usage) {
  const LaneSeries& series = impl_->lanes[static_cast<std::size_t>(lane)];
  series.running->Set(static_cast<double>(running));
  series.waiting->Set(static_cast<double>(waiting));
  series.kv_usage->Set(kv_usage);
}

void Metrics::on_step(const StepOutcome& outcome) {
  const LaneSeries& series = impl_->lanes[static_cast<std::size_t>(outcome.lane)];
  series.steps->Increment();
  series.prompt_tokens->Increment(static_cast<double>(outcome.prompt_tokens));
  series.step_tokens->Observe(static_cast<double>(outcome.prompt_tokens + outcome.decode_tokens));
  series.step_evaluate->Increment(outcome.evaluate_seconds);
  series.step_sample->Increment(outcome.sample_seconds);
  series.step_other->Increment(outcome.step_seconds - outcome.evaluate_seconds -
                               outcome.sample_seconds);
}

void Metrics::on_inter_token(core::LaneId lane, double seconds) {
  impl_->lanes[static_cast<std::size_t>(lane)].inter_token->Observe(seconds);
}

void Metrics::on_finished(const RequestOutcome& outcome) {
  const LaneSeries& series = impl_->lanes[static_cast<std::size_t>(outcome.lane)];
  switch (outcome.finish) {
    case core::FinishReason::kStop:
      series.success_stop->Increment();
      break;
    case core::FinishReason::kLength:
      series.success_length->Increment();
      break;
    case core::FinishReason::kCancelled:
      series.success_abort->Increment();
      break;
    default:
      series.success_error->Increment();
  }
  series.generation_tokens->Increment(static_cast<double>(outcome.generation_tokens));
  const bool completed =
      outcome.finish == core::FinishReason::kStop || outcome.finish == core::FinishReason::kLength;
  if (completed) series.e2e->Observe(outcome.e2e_seconds);
  if (outcome.ttft_seconds >= 0) series.ttft->Observe(outcome.ttft_seconds);
  if (outcome.queue_seconds >= 0) {
    series.queue_time->Observe(outcome.queue_seconds);
    series.prefix_queries->Increment(static_cast<double>(outcome.looked_up_tokens));
    series.prefix_hits->Increment(static_cast<double>(outcome.cached_tokens));
  }
}

void Metrics::on_received(std::size_t requests) {
  impl_->received.Increment(static_cast<double>(requests));
}

void Metrics::on_rejected(const std::string& reason, std::size_t requests) {
  impl_->rejected.Add({{"reason", reason}}).Increment(static_cast<double>(requests));
}

void Metrics::on_http(int status) {
  impl_->http.Add({{"status", std::to_string(status)}}).Increment();
}

std::string Metrics::render() const {
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, impl_->registry.Collect());
  return out.str();
}

}  // namespace switchyard::metrics
