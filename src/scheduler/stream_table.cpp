#include "scheduler/stream_table.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>

#include "scheduler/require.h"

namespace switchyard::scheduler {
namespace {

constexpr core::StreamId kNone = -1;
/// One in four conversations is assumed to come back before its stream is needed otherwise.
constexpr std::int32_t kLostTokensPerSaved = 4;

std::int32_t common_prefix(std::span<const core::TokenId> a, std::span<const core::TokenId> b) {
  constexpr std::size_t kBlock = 64;  // memcmp is vectorised, a loop with an early exit is not
  const std::size_t limit = std::min(a.size(), b.size());
  std::size_t n = 0;
  while (n + kBlock <= limit && std::memcmp(&a[n], &b[n], kBlock * sizeof(core::TokenId)) == 0) {
    n += kBlock;
  }
  while (n < limit && a[n] == b[n]) ++n;
  return static_cast<std::int32_t>(n);
}

}  // namespace

StreamTable::StreamTable(std::int32_t n_streams, std::int32_t capacity_tokens)
    : streams_(n_streams), capacity_tokens_(capacity_tokens), n_free_(n_streams) {}

StreamTable::Choice StreamTable::choose(std::span<const core::TokenId> prompt) const {
  require(n_free_ > 0, "no free stream to choose");
  require(!prompt.empty(), "empty prompt");
  core::StreamId stream = best_hit(prompt);
  if (stream == kNone) stream = cheapest_victim();
  return {stream, shared_prefix(stream, prompt)};
}

void StreamTable::acquire(Choice choice) {
  Stream& stream = streams_[choice.stream];
  require(!stream.busy && choice.keep_tokens <= length(choice.stream), "stream not available");
  idle_tokens_ -= length(choice.stream);
  stream.tokens.resize(choice.keep_tokens);
  stream.busy = true;
  stream.known = true;
  --n_free_;
}

void StreamTable::append(core::StreamId id, std::span<const core::TokenId> tokens) {
  Stream& stream = streams_[id];
  require(stream.busy, "tokens for a free stream");
  stream.tokens.insert(stream.tokens.end(), tokens.begin(), tokens.end());
  require(length(id) <= capacity_tokens_, "stream over its capacity");
}

void StreamTable::release(core::StreamId id) {
  Stream& stream = streams_[id];
  require(stream.busy, "stream released twice");
  stream.busy = false;
  stream.last_use = ++use_counter_;
  idle_tokens_ += length(id);
  ++n_free_;
}

void StreamTable::forget(core::StreamId id) {
  Stream& stream = streams_[id];
  if (!stream.busy) idle_tokens_ -= length(id);
  stream.tokens.clear();
  stream.known = false;
}

bool StreamTable::forget_oldest() {
  core::StreamId oldest = kNone;
  for (core::StreamId i = 0; i < std::ssize(streams_); ++i) {
    if (streams_[i].busy || streams_[i].tokens.empty()) continue;
    if (oldest == kNone || streams_[i].last_use < streams_[oldest].last_use) oldest = i;
  }
  if (oldest == kNone) return false;
  forget(oldest);
  return true;
}

bool StreamTable::can_pad(core::StreamId id) const {
  const Stream& stream = streams_[id];
  return !stream.busy && stream.known && length(id) < capacity_tokens_;
}

std::int32_t StreamTable::shared_prefix(core::StreamId stream,
                                        std::span<const core::TokenId> prompt) const {
  return common_prefix(streams_[stream].tokens, prompt.first(prompt.size() - 1));
}

core::StreamId StreamTable::best_hit(std::span<const core::TokenId> prompt) const {
  core::StreamId best = kNone;
  std::int32_t best_saved = 0;
  for (core::StreamId i = 0; i < std::ssize(streams_); ++i) {
    const Stream& stream = streams_[i];
    if (stream.busy || length(i) < best_saved || stream.tokens.empty()) continue;
    const std::int32_t shared = shared_prefix(i, prompt);
    const std::int32_t saved = shared - (length(i) - shared) / kLostTokensPerSaved;
    const bool older_tie =
        best != kNone && saved == best_saved && stream.last_use < streams_[best].last_use;
    if (saved > best_saved || older_tie) {
      best = i;
      best_saved = saved;
    }
  }
  return best;
}

core::StreamId StreamTable::cheapest_victim() const {
  std::vector<std::uint64_t> uses;
  for (const Stream& stream : streams_) {
    if (!stream.busy) uses.push_back(stream.tokens.empty() ? 0 : stream.last_use);
  }
  const auto middle = uses.begin() + (std::ssize(uses) - 1) / 2;
  std::nth_element(uses.begin(), middle, uses.end());
  const std::uint64_t newest_allowed = *middle;

  const std::vector<std::int32_t> gaps = gaps_to_busy();
  core::StreamId best = kNone;
  auto best_cost = std::tuple(true, std::numeric_limits<std::int32_t>::max(), std::uint64_t{0});
  for (core::StreamId i = 0; i < std::ssize(streams_); ++i) {
    const Stream& stream = streams_[i];
    const std::uint64_t use = stream.tokens.empty() ? 0 : stream.last_use;
    if (stream.busy || use > newest_allowed) continue;
    const auto cost = std::tuple(!stream.tokens.empty(), gaps[i], use);
    if (best == kNone || cost < best_cost) {
      best = i;
      best_cost = cost;
    }
  }
  return best;
}

std::vector<std::int32_t> StreamTable::gaps_to_busy() const {
  const auto n = static_cast<std::int32_t>(streams_.size());
  std::vector<std::int32_t> gaps(n, 0);
  if (n_free_ == n) return gaps;
  std::int32_t since = n;
  for (std::int32_t i = 0; i < n; ++i) {
    gaps[i] = since++;
    if (streams_[i].busy) since = 0;
  }
  since = n;
  for (std::int32_t i = n - 1; i >= 0; --i) {
    gaps[i] = std::min(gaps[i], since++);
    if (streams_[i].busy) since = 0;
  }
  return gaps;
}

}  // namespace switchyard::scheduler
