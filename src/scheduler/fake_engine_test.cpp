#include "scheduler/fake_engine.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace switchyard::scheduler {

FakeEngine::FakeEngine(Options options, std::vector<core::LaneInfo> lanes) : options_(options) {
  for (core::LaneInfo& info : lanes) {
    const auto n = static_cast<std::size_t>(info.n_streams);
    lanes_.push_back({std::move(info), std::vector<Stream>(n), {}});
  }
}

void FakeEngine::check(bool condition, const std::string& rule) {
  if (!condition && error_.empty()) error_ = rule;
}

void FakeEngine::start(Lane& lane, const core::SequenceStart& start) {
  Stream& stream = lane.streams.at(start.stream);
  const auto& prompt = start.request->prompt;
  const auto keep = static_cast<std::size_t>(start.keep_tokens);
  check(!stream.request, "a stream in use is given away");
  check(keep < prompt.size(), "no prompt token is left to evaluate");
  load(lane, start);
  check(keep <= stream.tokens.size(), "more tokens kept than the source holds");
  stream.tokens.resize(keep);
  check(std::equal(stream.tokens.begin(), stream.tokens.end(), prompt.begin()),
        "the kept tokens are not the prompt's");
  stream.request = start.request;
  stream.generated = 0;
  started_.push_back(start.request->id);
}

void FakeEngine::save(Lane& lane, const core::PrefixSave& save) {
  const Stream& stream = lane.streams.at(save.stream);
  check(!stream.request, "a stream in use is stored");
  check(std::cmp_equal(save.n_tokens, stream.tokens.size()), "a stream is not stored whole");
  const bool is_new = lose_saves_ || lane.stored.emplace(save.prefix, stream.tokens).second;
  check(is_new && save.prefix > 0, "a prefix is stored twice");
}

void FakeEngine::move(Lane& lane, const core::StreamMove& move) {
  Stream& from = lane.streams.at(move.from);
  check(!lane.streams.at(move.to).request, "a stream in use is overwritten");
  lane.streams.at(move.to) = from;
  from.request.reset();
}

/// Puts the tokens of the start's source into its stream.
void FakeEngine::load(Lane& lane, const core::SequenceStart& start) {
  std::vector<core::TokenId>& tokens = lane.streams.at(start.stream).tokens;
  if (const auto* other = std::get_if<core::OtherStream>(&start.source)) {
    check(other->stream != start.stream, "a stream is copied to itself");
    tokens = lane.streams.at(other->stream).tokens;
  } else if (const auto* stored = std::get_if<core::StoredPrefix>(&start.source)) {
    check(lane.stored.contains(stored->prefix), "an unknown prefix is restored");
    tokens = lane.stored[stored->prefix];
  }
}

void FakeEngine::check_store(const Lane& lane) {
  std::uint64_t bytes = 0;
  for (const auto& [prefix, tokens] : lane.stored) {
    bytes += tokens.size() * lane.info.stored_bytes_per_token;
  }
  check(bytes <= options_.prefix_store_bytes / lanes_.size(), "the store is over its budget");
}

void FakeEngine::begin(Lane& lane, const core::BatchPlan& plan) {
  for (const core::PrefixId evicted : plan.evictions) lane.stored.erase(evicted);
  for (const core::PrefixSave& s : plan.saves) save(lane, s);
  check_store(lane);
  for (const core::StreamId dropped : plan.drops) {
    Stream& stream = lane.streams.at(dropped);
    check(!stream.request, "a stream in use is dropped");
    if (is_pooled(lane)) stream.tokens.clear();
  }
  for (const core::StreamMove& m : plan.moves) move(lane, m);
  for (const core::SequenceStart& s : plan.starts) start(lane, s);
}

void FakeEngine::check_padding(const Lane& lane, const core::StreamTokens& planned) {
  const Stream& stream = lane.streams.at(planned.stream);
  check(!stream.request && planned.request == 0, "padding in a stream in use");
  check(!is_pooled(lane), "padding takes a pool's tokens for nothing");
  check(planned.tokens.size() == 1 && !planned.sample, "padding is one token without output");
  check(std::cmp_less(stream.tokens.size(), lane.info.stream_capacity_tokens),
        "padding without a free cell");
}

void FakeEngine::evaluate(Lane& lane, const core::StreamTokens& planned, const Sampler& sampler,
                          core::StepResult& result) {
  Stream& stream = lane.streams.at(planned.stream);
  check(std::cmp_equal(planned.position, stream.tokens.size()), "position is not contiguous");
  if (planned.padding) return check_padding(lane, planned);
  if (!stream.request || stream.request->id != planned.request) {
    return check(false, "tokens for a sequence that is not in the stream");
  }
  const core::Request& request = *stream.request;
  for (const core::TokenId token : planned.tokens) {
    const std::size_t position = stream.tokens.size();
    const bool in_prompt = position < request.prompt.size();
    check(token == (in_prompt ? request.prompt[position] : stream.last_token), "wrong token");
    check(in_prompt || planned.tokens.size() == 1, "a chunk goes past the prompt");
    stream.tokens.push_back(token);
  }
  check(std::cmp_less_equal(stream.tokens.size(), lane.info.stream_capacity_tokens),
        "stream over its capacity");
  check(planned.sample == (stream.tokens.size() >= request.prompt.size()),
        "sampling and the prompt's end do not coincide");
  if (!planned.sample) return;
  const core::TokenId token = sampler(request, stream.generated);
  check(++stream.generated <= request.max_tokens, "more tokens than max_tokens");
  stream.last_token = std::max(token, 0);
  result.sampled.push_back({request.id, stream.last_token, token < 0, 0.0F, {}});
}

void FakeEngine::check_budget(const Lane& lane, const core::BatchPlan& plan) {
  int decode = 0;
  int prefill = 0;
  int total = 0;
  for (const core::StreamTokens& planned : plan.streams) {
    total += static_cast<int>(planned.tokens.size());
    const Stream& stream = lane.streams.at(planned.stream);
    if (!stream.request) continue;
    const bool decodes = stream.tokens.size() >= stream.request->prompt.size();
    if (decodes) ++decode;
    if (!decodes) prefill += static_cast<int>(planned.tokens.size());
  }
  const int budget = decode > 0 ? options_.max_step_tokens
                                : std::max(options_.max_step_tokens, options_.max_prefill_tokens);
  check(prefill <= std::max(budget - decode, options_.min_chunk_tokens), "over the token budget");
  check(total <= max_plan_tokens(options_, lane.info.n_streams), "over max_plan_tokens()");
}

void FakeEngine::check_memory(const Lane& lane) {
  std::int64_t reserved = 0;
  std::int64_t held = 0;
  for (const Stream& stream : lane.streams) {
    held += std::ssize(stream.tokens);
    if (stream.request) reserved += std::ssize(stream.request->prompt) + stream.request->max_tokens;
  }
  check(held <= lane.info.pool_capacity_tokens, "pool full");
  check(reserved <= lane.info.pool_capacity_tokens, "pool over-committed");
}

core::StepResult FakeEngine::step(const core::BatchPlan& plan, const Sampler& sampler) {
  Lane& lane = lanes_.at(plan.lane);
  core::StepResult result;
  result.lane = plan.lane;
  check(!plan.streams.empty(), "empty plan");
  const auto not_ascending = [](const auto& a, const auto& b) { return a.stream >= b.stream; };
  check(std::adjacent_find(plan.streams.begin(), plan.streams.end(), not_ascending) ==
            plan.streams.end(),
        "streams are not sorted and unique");
  begin(lane, plan);
  check_budget(lane, plan);
  for (const core::StreamTokens& planned : plan.streams) evaluate(lane, planned, sampler, result);
  check_memory(lane);
  if (lose_saves_) {
    for (const core::PrefixSave& s : plan.saves) result.lost_saves.push_back(s.prefix);
  }
  return result;
}

core::StepResult FakeEngine::fail(const core::BatchPlan& plan) {
  Lane& lane = lanes_.at(plan.lane);
  begin(lane, plan);
  for (const core::SequenceStart& start : plan.starts) {
    lane.streams.at(start.stream).request.reset();
  }
  for (const core::StreamTokens& planned : plan.streams) {
    Stream& stream = lane.streams.at(planned.stream);
    stream.request.reset();
    stream.tokens.assign(stream.tokens.size() / 2 + 1, -7);
  }
  core::StepResult result;
  result.lane = plan.lane;
  result.status = core::StepStatus::kFailed;
  return result;
}

void FakeEngine::finish(core::RequestId request) {
  for (Lane& lane : lanes_) {
    for (Stream& stream : lane.streams) {
      if (stream.request && stream.request->id == request) stream.request.reset();
    }
  }
}

}  // namespace switchyard::scheduler
