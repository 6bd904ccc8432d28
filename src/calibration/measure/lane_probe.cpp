#include "calibration/measure/lane_probe.h"

#include <algorithm>
#include <string>
#include <utility>

namespace switchyard::calibration {
namespace {

core::SequenceStart start(core::StreamId stream, std::shared_ptr<const core::Request> request,
                          std::int32_t keep_tokens, core::PrefixSource source = {}) {
  core::SequenceStart start;
  start.stream = stream;
  start.keep_tokens = keep_tokens;
  start.request = std::move(request);
  start.source = source;
  return start;
}

}  // namespace

LaneProbe::LaneProbe(engine::Engine& engine, core::LaneId lane) : engine_(engine), lane_(lane) {}

const core::LaneInfo& LaneProbe::info() const {
  return engine_.lanes()[static_cast<std::size_t>(lane_)];
}

/// Ordinary tokens without a pattern: specials are at an end of the vocabulary.
core::TokenId LaneProbe::token_at(std::int32_t position) const {
  const auto vocabulary = static_cast<std::uint32_t>(engine_.tokenizer().vocabulary_size());
  const std::uint32_t hash = (static_cast<std::uint32_t>(position) + 1) * 2'654'435'761U;
  return static_cast<core::TokenId>(vocabulary / 4 + (hash >> 8U) % (vocabulary / 2));
}

std::shared_ptr<const core::Request> LaneProbe::make_request(std::int32_t tokens) {
  auto request = std::make_shared<core::Request>();
  request->id = ++last_request_;
  request->lane = lane_;
  for (std::int32_t i = 0; i < tokens; ++i) request->prompt.push_back(token_at(i));
  request->max_tokens = 1;
  request->sampling.temperature = 0;
  return request;
}

core::StreamTokens LaneProbe::entry(core::StreamId stream, const core::Request& request,
                                    std::int32_t position, std::int32_t count) const {
  core::StreamTokens tokens;
  tokens.stream = stream;
  tokens.request = request.id;
  tokens.position = position;
  const auto first = request.prompt.begin() + position;
  tokens.tokens.assign(first, first + count);
  return tokens;
}

Result<double> LaneProbe::step_ms(const core::BatchPlan& plan) {
  const core::TimePoint began = core::Clock::now();
  const core::StepResult result = engine_.step(plan);
  const double ms = core::to_ms(core::Clock::now() - began);
  if (result.status == core::StepStatus::kOk) return ms;
  return Error{ErrorCode::kEngineFailure, "calibrating " + info().mode + ": " + result.error, ""};
}

Result<void> LaneProbe::fill(std::int32_t tokens, std::int32_t chunk_tokens) {
  const auto request = make_request(tokens + 1);  // a prompt is longer than what it keeps
  for (std::int32_t at = 0; at < tokens; at += chunk_tokens) {
    core::BatchPlan plan;
    plan.lane = lane_;
    if (at == 0) plan.starts.push_back(start(0, request, 0));
    plan.streams.push_back(entry(0, *request, at, std::min(chunk_tokens, tokens - at)));
    if (auto stepped = step_ms(plan); !stepped) return stepped.error();
  }
  core::BatchPlan copies;
  copies.lane = lane_;
  for (core::StreamId stream = 1; stream < info().n_streams; ++stream) {
    copies.starts.push_back(start(stream, request, tokens, core::OtherStream{0}));
  }
  if (auto copied = step_ms(copies); !copied) return copied.error();
  return {};
}

Result<double> LaneProbe::time_restore(std::int32_t context) {
  const auto request = make_request(context + 1);
  core::BatchPlan cut;
  core::BatchPlan kept;
  core::BatchPlan copied;
  cut.lane = kept.lane = copied.lane = lane_;
  cut.starts.push_back(start(0, request, context));
  kept.starts.push_back(start(1, request, context));
  copied.starts.push_back(start(1, request, context, core::OtherStream{0}));
  if (auto done = step_ms(cut); !done) return done;
  auto without = step_ms(kept);
  if (!without) return without;
  auto with = step_ms(copied);
  if (!with) return with;
  return *with - *without;
}

Result<double> LaneProbe::time(const Point& point) {
  if (point.what == What::kRestore) return time_restore(point.context);
  const auto request = make_request(point.context + point.tokens);
  // Cutting the streams is a step of its own, so that it is not timed.
  core::BatchPlan cut;
  core::BatchPlan timed;
  cut.lane = timed.lane = lane_;
  for (core::StreamId stream = 0; stream < point.batch; ++stream) {
    cut.starts.push_back(start(stream, request, point.context));
    timed.streams.push_back(entry(stream, *request, point.context, point.tokens));
    timed.streams.back().sample = true;
  }
  if (auto done = step_ms(cut); !done) return done.error();
  return step_ms(timed);
}

}  // namespace switchyard::calibration
