#include "scheduler/lane_scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>
#include <utility>

#include "scheduler/require.h"

namespace switchyard::scheduler {
namespace {

std::int64_t reservation(const core::Request& request) {
  return static_cast<std::int64_t>(request.prompt.size()) + request.max_tokens;
}

/// Streams of fixed size always fit; a smaller pool has no separate streams in the engine.
bool is_pooled(const core::LaneInfo& info) {
  return info.pool_capacity_tokens <
         static_cast<std::int64_t>(info.n_streams) * info.stream_capacity_tokens;
}

}  // namespace

LaneScheduler::LaneScheduler(core::LaneId lane, const core::LaneInfo& info, const Options& options,
                             std::uint64_t prefix_store_bytes)
    : lane_(lane),
      info_(info),
      options_(options),
      streams_(info.n_streams, info.stream_capacity_tokens, is_pooled(info),
               prefix::PrefixStore(prefix_store_bytes, info.stored_bytes_per_token)),
      sequences_(info.n_streams),
      counts_(info.n_streams, 0) {
  require(info.n_streams > 0, "lane without streams");
}

Result<void> LaneScheduler::add(std::shared_ptr<const core::Request> request) {
  require(!request->prompt.empty() && request->max_tokens > 0, "request without tokens");
  const std::int64_t limit =
      std::min<std::int64_t>(info_.stream_capacity_tokens, info_.pool_capacity_tokens);
  if (reservation(*request) > limit) {
    return Error{ErrorCode::kContextLengthExceeded,
                 fmt::format("prompt of {} tokens and {} output tokens do not fit into a context "
                             "of {} tokens",
                             request->prompt.size(), request->max_tokens, limit),
                 ""};
  }
  const core::Duration behind = handicap(*request);
  waiting_.push(std::move(request), behind);
  return {};
}

bool LaneScheduler::cancel(core::RequestId id) {
  if (waiting_.remove(id)) return true;
  for (core::StreamId i = 0; i < info_.n_streams; ++i) {
    const Sequence& sequence = sequences_[i];
    if (!sequence.request || sequence.request->id != id) continue;
    const bool in_step = std::any_of(planned_.begin(), planned_.end(),
                                     [i](const Planned& planned) { return planned.stream == i; });
    const bool known = sequence.started && !in_step;
    end(i);
    if (!known) streams_.forget(i);
    return true;
  }
  return false;
}

LaneLoad LaneScheduler::load() const {
  LaneLoad load;
  load.running = running_;
  load.waiting = static_cast<std::int32_t>(waiting_.size());
  load.pool_capacity_tokens = info_.pool_capacity_tokens;
  load.stored_prefix_bytes = streams_.stored_bytes();
  for (core::StreamId i = 0; i < info_.n_streams; ++i) {
    if (sequences_[i].request) load.used_tokens += streams_.length(i);
  }
  return load;
}

core::BatchPlan LaneScheduler::plan(std::int32_t step_budget) {
  require(planned_.empty(), "a plan is outstanding");
  close_gap();
  std::fill(counts_.begin(), counts_.end(), 0);
  for (core::StreamId i = 0; i < info_.n_streams; ++i) {
    if (sequences_[i].request && prompt_left(i) <= 0) counts_[i] = 1;
  }
  plan_prefill(std::max(step_budget - n_decoding(), min_chunk_tokens()));
  bridge_gaps();
  return emit_plan();
}

/// Prompt tokens still to evaluate; ≤ 0 once the sequence decodes.
std::int32_t LaneScheduler::prompt_left(core::StreamId stream) const {
  return static_cast<std::int32_t>(sequences_[stream].request->prompt.size()) -
         streams_.length(stream);
}

void LaneScheduler::plan_prefill(std::int32_t budget) {
  double cost_left = cost_left_for_prefill();
  const bool may_defer = deferred_steps_ < options_.max_deferred_steps;
  bool planned = false;
  // The chunk of a prompt with `left` tokens behind `context`; 0: not in this step.
  const auto chunk_of = [&](std::int32_t left, std::int32_t context) {
    const std::int32_t affordable =
        std::min(budget, std::max(options_.cost.affordable_chunk(cost_left, context), 0));
    const std::int32_t least = std::min(left, min_chunk_tokens());
    if (affordable >= least) return chunk_tokens(left, affordable);
    return planned || may_defer ? 0 : std::min(budget, least);
  };
  const auto take = [&](core::StreamId stream, std::int32_t n_tokens) {
    counts_[stream] = n_tokens;
    budget -= n_tokens;
    cost_left -= options_.cost.chunk_pass(n_tokens, streams_.length(stream));
    planned = planned || n_tokens > 0;
  };
  for (const core::StreamId stream : prefilling_) {
    take(stream, chunk_of(prompt_left(stream), streams_.length(stream)));
  }
  bool put_off = !prefilling_.empty() && !planned;
  while (!put_off && budget > 0 && has_room()) {
    const core::Request& next = *waiting_.front();
    const StreamTable::Choice choice = streams_.choose(next.prompt, next.cache_salt);
    if (!worth_starting(choice, budget) || is_being_computed(choice.keep_tokens)) break;
    const auto left = static_cast<std::int32_t>(next.prompt.size()) - choice.keep_tokens;
    const std::int32_t n_tokens = chunk_of(left, choice.keep_tokens);
    put_off = n_tokens == 0 && !planned;
    if (n_tokens == 0) break;
    take(admit(choice), n_tokens);
  }
  deferred_steps_ = put_off ? deferred_steps_ + 1 : 0;
}

/// Unlimited while nothing decodes.
double LaneScheduler::cost_left_for_prefill() const {
  std::int64_t context = 0;
  for (core::StreamId i = 0; i < info_.n_streams; ++i) {
    if (sequences_[i].request && prompt_left(i) <= 0) context += streams_.length(i);
  }
  if (n_decoding() == 0) return std::numeric_limits<std::int32_t>::max();
  return options_.max_step_cost - options_.cost.decode_pass(n_decoding(), context);
}

/// How far a request stands behind its arrival in the queue, by the work it is expected to be.
core::Duration LaneScheduler::handicap(const core::Request& request) const {
  // Without a prediction: clients that set no limit get the lane's, which says nothing.
  constexpr std::int32_t kUnknownLength = 256;
  const std::int32_t output = request.sampling.ignore_eos
                                  ? request.max_tokens
                                  : std::min(request.max_tokens, kUnknownLength);
  const std::int32_t cached = streams_.match_tokens(request.prompt, request.cache_salt);
  const double tokens = static_cast<double>(request.prompt.size()) - cached + 2.0 * output;
  const std::chrono::duration<double> seconds(options_.overtaking * tokens * seconds_per_token_);
  return std::chrono::duration_cast<core::Duration>(seconds);
}

/// All of a prompt's rest if it fits, else whole tiles of it (perhaps none), leaving no rest below
/// a tile.
std::int32_t LaneScheduler::chunk_tokens(std::int32_t left, std::int32_t budget) const {
  if (left <= budget) return left;
  const std::int32_t tile = info_.prefill_tile_tokens;
  const std::int32_t whole = budget / tile * tile;
  const bool leaves_scrap = left - whole < tile && whole > tile;
  return leaves_scrap ? whole - tile : whole;
}

bool LaneScheduler::has_room() const {
  return !waiting_.empty() && streams_.n_free() > 0 &&
         reserved_tokens_ + reservation(*waiting_.front()) <= info_.pool_capacity_tokens;
}

bool LaneScheduler::worth_starting(const StreamTable::Choice& choice, std::int32_t budget) const {
  const auto prompt_tokens = static_cast<std::int32_t>(waiting_.front()->prompt.size());
  return budget >= std::min(min_chunk_tokens(), prompt_tokens - choice.keep_tokens);
}

/// A sequence in prefill is about to hold a prefix of the next prompt that is longer by a chunk:
/// the prompt waits for it, since it could not be finished before that one anyway.
bool LaneScheduler::is_being_computed(std::int32_t more_than_tokens) const {
  const core::Request& next = *waiting_.front();
  return std::any_of(prefilling_.begin(), prefilling_.end(), [&](core::StreamId stream) {
    const core::Request& other = *sequences_[stream].request;
    if (other.cache_salt != next.cache_salt) return false;
    const std::size_t limit = std::min(next.prompt.size() - 1, other.prompt.size());
    const auto end = other.prompt.begin() + static_cast<std::ptrdiff_t>(limit);
    const auto shared =
        std::mismatch(other.prompt.begin(), end, next.prompt.begin()).first - other.prompt.begin();
    return shared >= more_than_tokens + options_.min_chunk_tokens;
  });
}

core::StreamId LaneScheduler::admit(const StreamTable::Choice& choice) {
  Sequence sequence;
  sequence.request = waiting_.pop();
  sequence.source = choice.source;
  streams_.acquire(choice, sequence.request->prompt, sequence.request->cache_salt);
  admitted_.push_back(choice.stream);
  reserved_tokens_ += reservation(*sequence.request);
  // Tokens kept for later turns give way to running sequences where they share one pool.
  while (reserved_tokens_ + streams_.idle_tokens() > info_.pool_capacity_tokens) {
    if (!streams_.forget_oldest()) break;
  }
  sequences_[choice.stream] = std::move(sequence);
  prefilling_.push_back(choice.stream);
  ++running_;
  return choice.stream;
}

/// Moves the last running sequence into the first free stream before it, unless a waiting one can
/// take that. A gap costs a padding token or a pass in every step, a move once what a step's
/// padding costs: one a step, so that no step is much longer for it.
void LaneScheduler::close_gap() {
  const bool next_fills_it = !waiting_.empty() && prefilling_.empty();
  if (!options_.moves_streams || is_pooled(info_) || next_fills_it) return;
  core::StreamId first = 0;
  while (first < info_.n_streams && !sequences_[first].request) ++first;
  core::StreamId gap = first;
  while (gap < info_.n_streams && sequences_[gap].request) ++gap;
  core::StreamId last = info_.n_streams - 1;
  while (last > gap && !sequences_[last].request) --last;
  // One that decodes is in every plan, so that a step that fails ends it.
  if (gap >= last || !sequences_[last].started || prompt_left(last) > 0) return;
  streams_.move(last, gap);
  sequences_[gap] = std::exchange(sequences_[last], {});
  moves_.push_back({last, gap, streams_.length(gap)});
}

/// llama.cpp evaluates a run of consecutive stream ids in one pass per distinct token count. A
/// short gap between two decoding streams is therefore filled with padding; a prompt chunk at the
/// end costs its own pass with or without a gap.
void LaneScheduler::bridge_gaps() {
  if (is_pooled(info_)) return;
  core::StreamId last_decoding = -1;
  for (core::StreamId i = 0; i < info_.n_streams; ++i) {
    if (!sequences_[i].request || prompt_left(i) > 0) continue;
    std::int32_t idle = 0;
    bool possible = last_decoding >= 0;
    for (core::StreamId g = last_decoding + 1; possible && g < i; ++g) {
      if (counts_[g] > 0) continue;
      ++idle;
      possible = streams_.can_pad(g) && idle <= options_.max_padding;
    }
    for (core::StreamId g = last_decoding + 1; possible && g < i; ++g) {
      counts_[g] = std::max(counts_[g], 1);
    }
    last_decoding = i;
  }
}

core::BatchPlan LaneScheduler::emit_plan() {
  core::BatchPlan plan;
  plan.lane = lane_;
  plan.evictions = streams_.evictions();
  plan.saves = streams_.saves();
  plan.moves = moves_;
  for (const core::StreamId i : admitted_) {
    plan.starts.push_back({i, streams_.length(i), sequences_[i].request, sequences_[i].source});
  }
  for (core::StreamId i = 0; i < info_.n_streams; ++i) {
    if (streams_.is_forgotten(i)) plan.drops.push_back(i);
    if (counts_[i] == 0) continue;
    plan.streams.push_back(emit_tokens(i, counts_[i]));
    const core::StreamTokens& tokens = plan.streams.back();
    planned_.push_back({i, tokens.request, counts_[i], tokens.sample});
  }
  return plan;
}

core::StreamTokens LaneScheduler::emit_tokens(core::StreamId stream, std::int32_t n_tokens) const {
  core::StreamTokens out;
  out.stream = stream;
  out.position = streams_.length(stream);
  const Sequence& sequence = sequences_[stream];
  if (!sequence.request) {
    out.padding = true;
    out.tokens = {0};
    return out;
  }
  out.request = sequence.request->id;
  const std::int32_t left = prompt_left(stream);
  out.sample = n_tokens >= left;
  if (left <= 0) {
    out.tokens = {sequence.last_token};
  } else {
    const auto first = sequence.request->prompt.begin() + out.position;
    out.tokens.assign(first, first + n_tokens);
  }
  return out;
}

std::int32_t LaneScheduler::on_step(const core::StepResult& result, std::vector<Ended>& ended) {
  require(!planned_.empty() && result.lane == lane_, "result without a plan");
  std::int32_t evaluated = 0;
  if (result.status == core::StepStatus::kFailed) fail_planned(ended);
  if (result.status != core::StepStatus::kOk) restart_admitted();
  if (result.status == core::StepStatus::kOk) {
    streams_.settle(result.lost_saves);
    admitted_.clear();
    std::size_t n_sampled = 0;
    for (const Planned& planned : planned_) {
      if (planned.request == 0) continue;
      const core::SampledToken* sampled = nullptr;
      if (planned.sample) {
        require(n_sampled < result.sampled.size(), "sampled tokens missing");
        sampled = &result.sampled[n_sampled++];
        require(sampled->request == planned.request, "sampled tokens out of order");
      }
      evaluated += planned.n_tokens;
      advance(planned, sampled, ended);
    }
  }
  if (evaluated > 0) {
    constexpr double kShareOfOneStep = 0.05;
    const double measured = (result.evaluate_seconds + result.sample_seconds) / evaluated;
    seconds_per_token_ +=
        (measured - seconds_per_token_) * (seconds_per_token_ == 0 ? 1 : kShareOfOneStep);
  }
  if (result.status != core::StepStatus::kAborted) moves_.clear();
  planned_.clear();
  return evaluated;
}

void LaneScheduler::advance(const Planned& planned, const core::SampledToken* sampled,
                            std::vector<Ended>& ended) {
  Sequence& sequence = sequences_[planned.stream];
  if (!sequence.request) return;  // cancelled during the step, its stream is forgotten
  const core::Request& request = *sequence.request;
  const std::int32_t left = prompt_left(planned.stream);
  if (left > 0) {
    const auto prompt = std::span(request.prompt);
    streams_.append(planned.stream,
                    prompt.subspan(streams_.length(planned.stream), planned.n_tokens));
    if (planned.n_tokens == left) std::erase(prefilling_, planned.stream);
  } else {
    streams_.append(planned.stream, {&sequence.last_token, 1});
  }
  sequence.started = true;
  if (!sampled) return;
  sequence.last_token = sampled->token;
  ++sequence.generated;
  const bool full = sequence.generated >= request.max_tokens;
  if (!sampled->end_of_generation && !full) return;
  ended.push_back({request.id, sampled->end_of_generation ? core::FinishReason::kStop
                                                          : core::FinishReason::kLength});
  end(planned.stream);
}

/// Perhaps nothing was copied or stored, and a source may be gone before the next plan: prompts
/// that were to start are evaluated from the first token.
void LaneScheduler::restart_admitted() {
  streams_.settle_failed();
  for (const core::StreamId stream : admitted_) {
    streams_.empty(stream);
    sequences_[stream].source = core::OwnStream{};
  }
}

/// The engine may have evaluated any part of the plan: none of its streams is known any more.
void LaneScheduler::fail_planned(std::vector<Ended>& ended) {
  for (const Planned& planned : planned_) {
    if (sequences_[planned.stream].request) {
      ended.push_back({planned.request, core::FinishReason::kError});
      end(planned.stream);
    }
    streams_.forget(planned.stream);
  }
}

void LaneScheduler::end(core::StreamId stream) {
  Sequence& sequence = sequences_[stream];
  std::erase(prefilling_, stream);
  std::erase(admitted_, stream);
  std::erase_if(moves_, [stream](const core::StreamMove& move) { return move.to == stream; });
  reserved_tokens_ -= reservation(*sequence.request);
  --running_;
  streams_.release(stream);
  sequence = {};
}

}  // namespace switchyard::scheduler
