#include "engine/sim/sim_lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace switchyard::engine {

SimLane::SimLane(const core::LaneInfo& info)
    : info_(info), streams_(static_cast<std::size_t>(info.n_streams)) {}

bool SimLane::has_stream(core::StreamId stream) const {
  return stream >= 0 && stream < info_.n_streams;
}

const std::vector<core::TokenId>* SimLane::source_of(const core::SequenceStart& start) const {
  if (const auto* stored = std::get_if<core::StoredPrefix>(&start.source)) {
    const auto found = stored_.find(stored->prefix);
    return found == stored_.end() ? nullptr : &found->second;
  }
  const auto* other = std::get_if<core::OtherStream>(&start.source);
  const core::StreamId stream = other ? other->stream : start.stream;
  return has_stream(stream) ? &streams_[static_cast<std::size_t>(stream)].tokens : nullptr;
}

std::optional<std::string> SimLane::save(const core::PrefixSave& save) {
  if (!has_stream(save.stream)) return fmt::format("save of unknown stream {}", save.stream);
  const auto& tokens = streams_[static_cast<std::size_t>(save.stream)].tokens;
  if (save.n_tokens != static_cast<std::int32_t>(tokens.size())) {
    return fmt::format("save of {} tokens of stream {}, it has {}", save.n_tokens, save.stream,
                       tokens.size());
  }
  if (!stored_.emplace(save.prefix, tokens).second) {
    return fmt::format("prefix {} is stored already", save.prefix);
  }
  return std::nullopt;
}

std::optional<std::string> SimLane::check_start(const core::SequenceStart& start) const {
  if (!has_stream(start.stream)) return fmt::format("start in unknown stream {}", start.stream);
  if (!start.request) return fmt::format("start of no request in stream {}", start.stream);
  const std::vector<core::TokenId>* const source = source_of(start);
  if (!source) return fmt::format("stream {} starts from an unknown source", start.stream);
  const auto& kept = *source;
  const auto& prompt = start.request->prompt;
  const auto keep = static_cast<std::size_t>(std::max(start.keep_tokens, 0));
  if (start.keep_tokens < 0 || keep > kept.size() || keep >= prompt.size()) {
    return fmt::format("stream {} keeps {} tokens, its source has {}, prompt {}", start.stream,
                       start.keep_tokens, kept.size(), prompt.size());
  }
  if (!std::equal(prompt.begin(), prompt.begin() + static_cast<std::ptrdiff_t>(keep),
                  kept.begin())) {
    return fmt::format("stream {} keeps {} tokens that are not its prompt's", start.stream, keep);
  }
  return std::nullopt;
}

void SimLane::start(const core::SequenceStart& start) {
  Stream& stream = streams_[static_cast<std::size_t>(start.stream)];
  total_tokens_ += start.keep_tokens - static_cast<std::int64_t>(stream.tokens.size());
  const auto& prompt = start.request->prompt;
  stream.tokens.assign(prompt.begin(), prompt.begin() + start.keep_tokens);
  stream.request = start.request;
  stream.text = SimText(start.request->prompt, start.request->sampling);
  stream.last_sampled = -1;
}

std::optional<std::string> SimLane::check_padding(const core::StreamTokens& entry) const {
  const Stream& stream = streams_[static_cast<std::size_t>(entry.stream)];
  if (entry.tokens.size() != 1 || entry.sample || entry.request != 0) {
    return fmt::format("padding of stream {} is not one token without output", entry.stream);
  }
  if (entry.position != static_cast<std::int32_t>(stream.tokens.size())) {
    return fmt::format("padding of stream {} at {}, its length is {}", entry.stream, entry.position,
                       stream.tokens.size());
  }
  return std::nullopt;
}

std::optional<std::string> SimLane::check_tokens(const core::StreamTokens& entry,
                                                 const Stream& stream) const {
  const auto& prompt = stream.request->prompt;
  const auto begin = static_cast<std::size_t>(entry.position);
  const std::size_t in_prompt =
      begin < prompt.size() ? std::min(prompt.size() - begin, entry.tokens.size()) : 0;
  for (std::size_t i = 0; i < in_prompt; ++i) {
    if (entry.tokens[i] != prompt[begin + i]) {
      return fmt::format("stream {} gets a token at {} that is not its prompt's", entry.stream,
                         begin + i);
    }
  }
  const std::size_t behind = entry.tokens.size() - in_prompt;
  if (behind > 1) return fmt::format("stream {} decodes {} tokens at once", entry.stream, behind);
  if (behind == 1 && entry.tokens.back() != stream.last_sampled) {
    return fmt::format("stream {} gets token {} at {}, {} was sampled", entry.stream,
                       entry.tokens.back(), begin + entry.tokens.size() - 1, stream.last_sampled);
  }
  if (!entry.sample) return std::nullopt;
  if (begin + entry.tokens.size() < prompt.size()) {
    return fmt::format("stream {} samples at {}, inside its prompt of {}", entry.stream,
                       begin + entry.tokens.size(), prompt.size());
  }
  if (stream.text.ended() || stream.text.generated() >= stream.request->max_tokens) {
    return fmt::format("stream {} samples after its end, {} tokens of {}", entry.stream,
                       stream.text.generated(), stream.request->max_tokens);
  }
  return std::nullopt;
}

std::optional<std::string> SimLane::check_entry(const core::StreamTokens& entry) const {
  if (!has_stream(entry.stream)) return fmt::format("unknown stream {}", entry.stream);
  const Stream& stream = streams_[static_cast<std::size_t>(entry.stream)];
  const std::size_t length = stream.tokens.size();
  if (entry.tokens.empty()) return fmt::format("no tokens for stream {}", entry.stream);
  if (length + entry.tokens.size() > static_cast<std::size_t>(info_.stream_capacity_tokens)) {
    return fmt::format("stream {} would hold {} tokens of {}", entry.stream,
                       length + entry.tokens.size(), info_.stream_capacity_tokens);
  }
  if (total_tokens_ + static_cast<std::int64_t>(entry.tokens.size()) > info_.pool_capacity_tokens) {
    return fmt::format("the lane would hold more than its {} tokens", info_.pool_capacity_tokens);
  }
  if (entry.padding) return check_padding(entry);
  if (!stream.request || stream.request->id != entry.request) {
    return fmt::format("stream {} is not given to request {}", entry.stream, entry.request);
  }
  if (entry.position < 0 || static_cast<std::size_t>(entry.position) != length) {
    return fmt::format("stream {} evaluates at {}, its length is {}", entry.stream, entry.position,
                       length);
  }
  return check_tokens(entry, stream);
}

std::optional<std::string> SimLane::move(const core::StreamMove& move) {
  if (!has_stream(move.from) || !has_stream(move.to) || move.from == move.to) {
    return fmt::format("move of stream {} to {}", move.from, move.to);
  }
  Stream& from = streams_[static_cast<std::size_t>(move.from)];
  Stream& to = streams_[static_cast<std::size_t>(move.to)];
  total_tokens_ +=
      static_cast<std::int64_t>(from.tokens.size()) - static_cast<std::int64_t>(to.tokens.size());
  to = from;
  from.request.reset();
  return std::nullopt;
}

/// What the plan does before its first pass.
std::optional<std::string> SimLane::prepare(const core::BatchPlan& plan) {
  for (const core::PrefixId evicted : plan.evictions) stored_.erase(evicted);
  for (const core::PrefixSave& entry : plan.saves) {
    if (auto fault = save(entry)) return fault;
  }
  for (const core::StreamId dropped : plan.drops) {
    if (!has_stream(dropped)) return fmt::format("drop of unknown stream {}", dropped);
    Stream& stream = streams_[static_cast<std::size_t>(dropped)];
    total_tokens_ -= static_cast<std::int64_t>(stream.tokens.size());
    stream.tokens.clear();
    stream.request.reset();
  }
  for (const core::StreamMove& entry : plan.moves) {
    if (auto fault = move(entry)) return fault;
  }
  for (const core::SequenceStart& entry : plan.starts) {
    if (auto fault = check_start(entry)) return fault;
    start(entry);
  }
  return std::nullopt;
}

std::optional<std::string> SimLane::apply(const core::BatchPlan& plan) {
  if (auto fault = prepare(plan)) return fault;
  core::StreamId previous = -1;
  for (const core::StreamTokens& entry : plan.streams) {
    if (auto fault = check_entry(entry)) return fault;
    if (entry.stream <= previous) {
      return fmt::format("stream {} comes after stream {}", entry.stream, previous);
    }
    previous = entry.stream;
    if (entry.padding) continue;
    Stream& stream = streams_[static_cast<std::size_t>(entry.stream)];
    stream.tokens.insert(stream.tokens.end(), entry.tokens.begin(), entry.tokens.end());
    total_tokens_ += static_cast<std::int64_t>(entry.tokens.size());
  }
  return std::nullopt;
}

std::vector<core::SampledToken> SimLane::sample(const core::BatchPlan& plan) {
  std::vector<core::SampledToken> sampled;
  sampled.reserve(plan.streams.size());
  for (const core::StreamTokens& entry : plan.streams) {
    if (!entry.sample) continue;
    Stream& stream = streams_[static_cast<std::size_t>(entry.stream)];
    sampled.push_back(stream.text.next());
    sampled.back().request = entry.request;
    stream.last_sampled = sampled.back().token;
  }
  return sampled;
}

}  // namespace switchyard::engine
