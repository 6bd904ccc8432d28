#include "scheduler/fake_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace switchyard::scheduler {

FakeEngine::FakeEngine(Options options, std::vector<core::LaneInfo> lanes) : options_(options) {
  for (core::LaneInfo& info : lanes) {
    const auto n = static_cast<std::size_t>(info.n_streams);
    lanes_.push_back({std::move(info), std::vector<Stream>(n)});
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
  check(keep <= stream.tokens.size(), "more tokens kept than the stream holds");
  stream.tokens.resize(keep);
  check(std::equal(stream.tokens.begin(), stream.tokens.end(), prompt.begin()),
        "the kept tokens are not the prompt's");
  stream.request = start.request;
  stream.generated = 0;
  started_.push_back(start.request->id);
}

void FakeEngine::check_padding(const Lane& lane, const core::StreamTokens& planned) {
  const Stream& stream = lane.streams.at(planned.stream);
  check(!stream.request && planned.request == 0, "padding in a stream in use");
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
  for (const Stream& stream : lane.streams) {
    if (stream.request) reserved += std::ssize(stream.request->prompt) + stream.request->max_tokens;
  }
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
  for (const core::SequenceStart& s : plan.starts) start(lane, s);
  check_memory(lane);
  check_budget(lane, plan);
  for (const core::StreamTokens& planned : plan.streams) evaluate(lane, planned, sampler, result);
  return result;
}

core::StepResult FakeEngine::fail(const core::BatchPlan& plan) {
  Lane& lane = lanes_.at(plan.lane);
  for (const core::SequenceStart& s : plan.starts) start(lane, s);
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

int count_passes(const core::BatchPlan& plan) {
  std::vector<std::size_t> left;
  for (const core::StreamTokens& planned : plan.streams) left.push_back(planned.tokens.size());
  int passes = 0;
  for (std::size_t first = 0; first < left.size();) {
    if (left[first] == 0) {
      ++first;
      continue;
    }
    std::size_t end = first + 1;
    core::StreamId last = plan.streams[first].stream;
    std::vector<std::size_t> run = {first};
    for (; end < left.size(); ++end) {
      if (left[end] == 0 || plan.streams[end].stream != last + 1) continue;
      last = plan.streams[end].stream;
      run.push_back(end);
    }
    std::size_t n = left[first];
    for (const std::size_t i : run) n = std::min(n, left[i]);
    for (const std::size_t i : run) left[i] -= n;
    ++passes;
  }
  return passes;
}

namespace {

core::StreamTokens tokens_of(core::StreamId stream, std::size_t n) {
  core::StreamTokens out;
  out.stream = stream;
  out.tokens.assign(n, 0);
  return out;
}

TEST(CountPasses, DecodesAndAPromptChunkBesideThemAreTwo) {
  core::BatchPlan plan;
  for (int i = 0; i < 4; ++i) plan.streams.push_back(tokens_of(i, 1));
  EXPECT_EQ(count_passes(plan), 1);
  plan.streams.push_back(tokens_of(4, 100));
  EXPECT_EQ(count_passes(plan), 2);
}

TEST(CountPasses, AGapSplits) {
  core::BatchPlan plan;
  plan.streams = {tokens_of(0, 1), tokens_of(2, 1)};
  EXPECT_EQ(count_passes(plan), 2);
}

}  // namespace
}  // namespace switchyard::scheduler
