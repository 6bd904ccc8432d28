#include "service/engine_loop.h"

#include <algorithm>
#include <utility>

namespace switchyard::service {

using core::Clock;
using core::FinishReason;

EngineLoop::EngineLoop(Options options, engine::Engine& engine, metrics::Metrics& metrics,
                       Mailbox& mailbox, std::span<LoadCounter> load)
    : options_(options),
      engine_(engine),
      metrics_(metrics),
      mailbox_(mailbox),
      load_(load),
      scheduler_(options.scheduler, {engine.lanes().begin(), engine.lanes().end()}) {}

void EngineLoop::run() {
  publish_load();
  while (!mailbox_.closed()) {
    auto messages = scheduler_.idle() ? mailbox_.wait_drain() : mailbox_.drain();
    for (Message& message : messages) {
      std::visit([this](auto&& m) { handle(std::forward<decltype(m)>(m)); }, std::move(message));
    }
    const core::TimePoint now = Clock::now();
    expire_waiting(now);
    if (auto plan = scheduler_.next_batch(now)) step(*plan, now);
    publish_load();
  }
  for (Message& message : mailbox_.drain()) {
    if (auto* all = std::get_if<std::vector<Submission>>(&message)) handle(std::move(*all));
  }
  while (!sequences_.empty()) end(sequences_.begin()->first, FinishReason::kCancelled, {});
  publish_load();
}

void EngineLoop::handle(std::vector<Submission> submissions) {
  for (Submission& submission : submissions) add(std::move(submission));
}

void EngineLoop::add(Submission submission) {
  auto client = std::make_shared<Client>();
  client->state = std::move(submission.state);
  client->stop = std::move(submission.stop);
  client->open_choices = static_cast<std::int32_t>(submission.choices.size());
  const core::Request& first = *submission.choices.front();
  client->arrival = first.arrival;
  client->outcome.lane = first.lane;
  client->outcome.prompt_tokens = static_cast<std::int64_t>(first.prompt.size());

  std::int32_t choice = 0;
  for (auto& request : submission.choices) {
    const core::RequestId id = request->id;
    sequences_.emplace(
        id, Sequence{client, request, choice++, TextAssembler(client->stop), {}, 0, {}, {}, 0});
    if (auto added = scheduler_.add(std::move(request)); !added) {
      end(id, FinishReason::kError, added.error());
    }
  }
}

void EngineLoop::handle(const Cancellation& cancellation) {
  for (const core::RequestId id : cancellation.requests) {
    if (!sequences_.contains(id)) continue;
    scheduler_.cancel(id);
    end(id, FinishReason::kCancelled, {});
  }
}

void EngineLoop::expire_waiting(core::TimePoint now) {
  if (options_.queue_timeout_seconds <= 0) return;
  const auto limit = std::chrono::duration_cast<core::Duration>(
      std::chrono::duration<double>(options_.queue_timeout_seconds));
  for (const core::RequestId id : scheduler_.expire_waiting(now - limit)) {
    end(id, FinishReason::kError,
        Error{ErrorCode::kQueueTimeout, "the request waited longer than the queue timeout", {}});
  }
}

void EngineLoop::step(const core::BatchPlan& plan, core::TimePoint planned_at) {
  note_starts(plan, planned_at);
  metrics::StepOutcome outcome = count_tokens(plan);
  const core::StepResult result = engine_.step(plan);
  if (result.status == core::StepStatus::kAborted) return;  // stopping: run() ends what is left

  const core::TimePoint now = Clock::now();
  const scheduler::StepReport report = scheduler_.on_step(result);
  for (const core::SampledToken& token : result.sampled) take_token(token, now);
  for (const auto& [id, reason] : report.ended) {
    std::optional<Error> error;
    if (reason == FinishReason::kError) error = Error{ErrorCode::kEngineFailure, result.error, {}};
    end(id, reason, std::move(error));
  }
  for (const core::SampledToken& token : result.sampled) {
    if (auto it = sequences_.find(token.request); it != sequences_.end()) publish(it->second);
  }
  outcome.evaluate_seconds = result.evaluate_seconds;
  outcome.sample_seconds = result.sample_seconds;
  outcome.step_seconds = core::to_seconds(Clock::now() - planned_at);
  metrics_.on_step(outcome);
}

void EngineLoop::note_starts(const core::BatchPlan& plan, core::TimePoint now) {
  for (const core::SequenceStart& start : plan.starts) {
    Sequence& sequence = sequences_.at(start.request->id);
    metrics::RequestOutcome& outcome = sequence.client->outcome;
    if (outcome.queue_seconds < 0) {
      outcome.queue_seconds = core::to_seconds(now - sequence.client->arrival);
    }
    outcome.looked_up_tokens += static_cast<std::int64_t>(start.request->prompt.size());
    outcome.cached_tokens += start.keep_tokens;
    if (sequence.choice == 0) sequence.client->state->set_cached_tokens(start.keep_tokens);
  }
}

// Appends the token's text to the sequence's delta; a completed stop string ends it.
void EngineLoop::take_token(const core::SampledToken& token, core::TimePoint now) {
  Sequence& sequence = sequences_.at(token.request);
  metrics::RequestOutcome& outcome = sequence.client->outcome;
  if (outcome.ttft_seconds < 0) {
    outcome.ttft_seconds = core::to_seconds(now - sequence.client->arrival);
  }
  if (sequence.last_token != core::TimePoint{}) {
    metrics_.on_inter_token(outcome.lane, core::to_seconds(now - sequence.last_token));
  }
  sequence.last_token = now;
  ++outcome.generation_tokens;
  ++sequence.sampled;

  if (token.end_of_generation) return;
  if (sequence.request->sampling.top_logprobs >= 0) {
    sequence.held_logprobs.push_back({sequence.bytes, logprob_text(token)});
  }
  std::string bytes;
  engine_.tokenizer().append_piece(token.token, false, bytes);
  sequence.bytes += bytes.size();
  const bool stopped = sequence.text.push(bytes, sequence.delta.text);
  release_logprobs(sequence, sequence.text.released_bytes());
  if (!stopped) return;
  scheduler_.cancel(token.request);
  sequence.delta.finish = FinishReason::kStop;
  end(token.request, FinishReason::kStop, {});
}

void EngineLoop::end(core::RequestId id, FinishReason reason, std::optional<Error> error) {
  const auto it = sequences_.find(id);
  if (it == sequences_.end()) return;  // a stop string ended it in the same step
  Sequence sequence = std::move(it->second);
  sequences_.erase(it);

  const bool stopped_by_text = sequence.delta.finish == FinishReason::kStop;
  if (!stopped_by_text) {
    sequence.text.finish(sequence.delta.text);
    release_logprobs(sequence, sequence.bytes + 1);
  }
  sequence.delta.finish = reason;
  sequence.delta.error = std::move(error);

  Client& client = *sequence.client;
  const bool ended_badly = reason == FinishReason::kCancelled || reason == FinishReason::kError;
  if (client.outcome.finish == FinishReason::kNone || ended_badly) client.outcome.finish = reason;
  if (--client.open_choices == 0) {
    client.outcome.e2e_seconds = core::to_seconds(Clock::now() - client.arrival);
    metrics_.on_finished(client.outcome);
  }
  publish(sequence);
  load_[client.outcome.lane].ended(1);
}

void EngineLoop::release_logprobs(Sequence& sequence, std::size_t released_bytes) {
  auto& held = sequence.held_logprobs;
  std::size_t n = 0;
  while (n < held.size() && held[n].first_byte < released_bytes) {
    sequence.delta.logprobs.push_back(std::move(held[n++].logprob));
  }
  held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(n));
}

void EngineLoop::publish(Sequence& sequence) {
  Delta& delta = sequence.delta;
  if (delta.text.empty() && delta.logprobs.empty() && delta.finish == FinishReason::kNone) {
    sequence.client->state->count_tokens(std::exchange(sequence.sampled, 0));
    return;
  }
  delta.choice = sequence.choice;
  sequence.client->state->push(std::exchange(delta, {}), std::exchange(sequence.sampled, 0));
}

void EngineLoop::publish_load() {
  for (core::LaneId lane = 0; lane < static_cast<core::LaneId>(engine_.lanes().size()); ++lane) {
    const scheduler::LaneLoad load = scheduler_.load(lane);
    metrics_.set_load(
        lane, load.running, load.waiting,
        static_cast<double>(load.used_tokens) / static_cast<double>(load.pool_capacity_tokens));
  }
}

metrics::StepOutcome EngineLoop::count_tokens(const core::BatchPlan& plan) const {
  metrics::StepOutcome outcome;
  outcome.lane = plan.lane;
  for (const core::StreamTokens& stream : plan.streams) {
    if (stream.padding) continue;
    const auto& prompt = sequences_.at(stream.request).request->prompt;
    if (static_cast<std::size_t>(stream.position) < prompt.size()) {
      outcome.prompt_tokens += static_cast<std::int64_t>(stream.tokens.size());
    } else {
      outcome.decode_tokens += static_cast<std::int64_t>(stream.tokens.size());
    }
  }
  return outcome;
}

TokenLogprobText EngineLoop::logprob_text(const core::SampledToken& token) const {
  const engine::Tokenizer& tokenizer = engine_.tokenizer();
  const auto text_of = [&](core::TokenId id) {
    std::string text;
    tokenizer.append_piece(id, true, text);
    return text;
  };
  TokenLogprobText out{text_of(token.token), token.logprob, {}};
  out.top.reserve(token.top_logprobs.size());
  for (const core::TokenLogprob& top : token.top_logprobs) {
    out.top.emplace_back(text_of(top.token), top.logprob);
  }
  return out;
}

}  // namespace switchyard::service
