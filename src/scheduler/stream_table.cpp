#include "scheduler/stream_table.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "scheduler/require.h"

namespace switchyard::scheduler {
namespace {

constexpr core::StreamId kNone = -1;
/// One in four conversations is assumed to come back before its stream is needed otherwise.
constexpr std::int32_t kLostTokensPerSaved = 4;
/// Storing and restoring a token costs less than a sixteenth of its prefill (docs/adr/0003).
constexpr std::int32_t kStoredTokensPerSaved = 16;
/// A prefix shorter than this is prefilled sooner than it is copied.
constexpr std::int32_t kCopyCostTokens = 16;
constexpr std::int32_t kLeastStoredTokens = 32;

}  // namespace

StreamTable::StreamTable(std::int32_t n_streams, std::int32_t capacity_tokens, bool pooled,
                         prefix::PrefixStore store)
    : streams_(n_streams),
      capacity_tokens_(capacity_tokens),
      pooled_(pooled),
      n_free_(n_streams),
      store_(std::move(store)) {
  for (core::StreamId i = 0; i < n_streams; ++i) tree_.add(holder(i), {});
}

StreamTable::Choice StreamTable::choose(std::span<const core::TokenId> prompt,
                                        const std::string& salt) const {
  require(n_free_ > 0, "no free stream to choose");
  require(!prompt.empty(), "empty prompt");
  const prefix::Match match = tree_.match(salt, prompt.first(prompt.size() - 1));
  const core::StreamId victim = cheapest_victim();
  const core::StreamId own = best_own(match);

  Choice best{victim, 0, core::OwnStream{}};
  std::int32_t best_value = -cost_of_loss(victim, 0);
  if (own != kNone && match.tokens - cost_of_loss(own, match.tokens) > best_value) {
    best = {own, match.tokens, core::OwnStream{}};
    best_value = match.tokens - cost_of_loss(own, match.tokens);
  }
  if (match.tokens - kCopyCostTokens - cost_of_loss(victim, 0) > best_value) {
    if (const auto source = nearest_source(match, victim)) best = {victim, match.tokens, *source};
  }
  return best;
}

/// Tokens that no other stream and no stored prefix holds.
std::int32_t StreamTable::lost_tokens(core::StreamId stream, std::int32_t keep_tokens) const {
  return std::min(tree_.unique_tokens(holder(stream)), length(stream) - keep_tokens);
}

bool StreamTable::is_worth_storing(core::StreamId stream, std::int32_t lost) const {
  return lost >= kLeastStoredTokens && store_.enabled() && store_.can_hold(length(stream));
}

/// In tokens of prefill.
std::int32_t StreamTable::cost_of_loss(core::StreamId stream, std::int32_t keep_tokens) const {
  const std::int32_t lost = lost_tokens(stream, keep_tokens);
  return lost / (is_worth_storing(stream, lost) ? kStoredTokensPerSaved : kLostTokensPerSaved);
}

/// Of the free streams that hold the whole match the one with least behind it, oldest first.
core::StreamId StreamTable::best_own(const prefix::Match& match) const {
  core::StreamId best = kNone;
  for (const prefix::HolderId id : match.holders) {
    if (!is_stream(id) || streams_[stream_of(id)].busy) continue;
    const core::StreamId i = stream_of(id);
    const auto rank = [this](core::StreamId s) {
      return std::tuple(length(s), streams_[s].last_use);
    };
    if (best == kNone || rank(i) < rank(best)) best = i;
  }
  return best;
}

/// All cells of a source are read, so the shortest is the cheapest.
std::optional<core::PrefixSource> StreamTable::nearest_source(const prefix::Match& match,
                                                              core::StreamId to) const {
  std::optional<prefix::HolderId> nearest;
  for (const prefix::HolderId id : match.holders) {
    if (id == holder(to)) return core::OwnStream{};
    if (pooled_ && is_stream(id) && !streams_[stream_of(id)].busy) continue;
    const auto rank = [this](prefix::HolderId h) { return std::tuple(tree_.length(h), h); };
    if (!nearest || rank(id) < rank(*nearest)) nearest = id;
  }
  if (!nearest) return std::nullopt;
  if (is_stream(*nearest)) return core::OtherStream{stream_of(*nearest)};
  return core::StoredPrefix{*nearest};
}

void StreamTable::acquire(const Choice& choice, std::span<const core::TokenId> prompt,
                          const std::string& salt) {
  require(!streams_[choice.stream].busy, "stream not available");
  const bool stays = std::holds_alternative<core::OwnStream>(choice.source);
  if (const auto* stored = std::get_if<core::StoredPrefix>(&choice.source)) {
    store_.use(stored->prefix);
  }
  store_what_is_lost(choice.stream, stays ? choice.keep_tokens : 0);
  idle_tokens_ -= length(choice.stream);
  if (stays && choice.keep_tokens > 0) {
    cut(choice.stream, choice.keep_tokens);
  } else {
    hold(choice.stream, prompt.first(choice.keep_tokens), salt);
  }
  occupy(choice.stream, salt);
}

/// The stream holds these tokens instead of its own.
void StreamTable::hold(core::StreamId id, std::span<const core::TokenId> tokens,
                       const std::string& salt) {
  tree_.remove(holder(id));
  tree_.add(holder(id), salt);
  tree_.append(holder(id), tokens);
  streams_[id].n_tokens = static_cast<std::int32_t>(tokens.size());
}

void StreamTable::cut(core::StreamId id, std::int32_t n_tokens) {
  tree_.cut(holder(id), n_tokens);
  streams_[id].n_tokens = n_tokens;
}

void StreamTable::empty(core::StreamId id) {
  require(streams_[id].busy, "a free stream is emptied");
  cut(id, 0);
}

void StreamTable::occupy(core::StreamId id, const std::string& salt) {
  Stream& stream = streams_[id];
  stream.salt = salt;
  stream.busy = true;
  stream.known = true;
  --n_free_;
}

void StreamTable::move(core::StreamId from, core::StreamId to) {
  require(streams_[from].busy && !streams_[to].busy, "stream not available");
  store_what_is_lost(to, 0);
  idle_tokens_ -= length(to);
  hold(to, tree_.tokens(holder(from)), streams_[from].salt);
  occupy(to, streams_[from].salt);
  release(from);
}

void StreamTable::store_what_is_lost(core::StreamId stream, std::int32_t keep_tokens) {
  if (is_worth_storing(stream, lost_tokens(stream, keep_tokens))) store(stream);
}

void StreamTable::store(core::StreamId stream) {
  // A conversation that has grown replaces what was stored of it before.
  for (const prefix::HolderId covered : tree_.covered_by(holder(stream))) {
    if (is_stream(covered) || store_.is_needed(covered)) continue;
    store_.remove(covered);
    evict(covered);
  }
  std::vector<core::PrefixId> evicted;
  const core::PrefixId prefix = store_.add(length(stream), evicted);
  for (const core::PrefixId given_up : evicted) evict(given_up);
  if (prefix == 0) return;
  saves_.push_back({prefix, stream, length(stream)});
  unsettled_.push_back({prefix, tree_.tokens(holder(stream)), streams_[stream].salt});
}

void StreamTable::evict(core::PrefixId prefix) {
  if (tree_.contains(prefix)) tree_.remove(prefix);
  evictions_.push_back(prefix);
}

void StreamTable::settle(std::span<const core::PrefixId> lost) {
  for (const Unsettled& saved : unsettled_) {
    if (std::find(lost.begin(), lost.end(), saved.prefix) != lost.end()) {
      store_.remove(saved.prefix);
      continue;
    }
    tree_.add(saved.prefix, saved.salt);
    tree_.append(saved.prefix, saved.tokens);
  }
  store_.begin_plan();
  saves_.clear();
  evictions_.clear();
  unsettled_.clear();
}

void StreamTable::settle_failed() {
  for (const Unsettled& saved : unsettled_) {
    store_.remove(saved.prefix);
    evictions_.push_back(saved.prefix);
  }
  store_.begin_plan();
  saves_.clear();
  unsettled_.clear();
}

void StreamTable::append(core::StreamId id, std::span<const core::TokenId> tokens) {
  require(streams_[id].busy, "tokens for a free stream");
  tree_.append(holder(id), tokens);
  streams_[id].n_tokens += static_cast<std::int32_t>(tokens.size());
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
  cut(id, 0);
  stream.known = false;
}

bool StreamTable::forget_oldest() {
  core::StreamId oldest = kNone;
  for (core::StreamId i = 0; i < std::ssize(streams_); ++i) {
    if (streams_[i].busy || length(i) == 0) continue;
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

core::StreamId StreamTable::cheapest_victim() const {
  const auto last_use = [this](core::StreamId i) {
    return length(i) == 0 ? 0 : streams_[i].last_use;
  };
  std::vector<std::uint64_t> uses;
  for (core::StreamId i = 0; i < std::ssize(streams_); ++i) {
    if (!streams_[i].busy) uses.push_back(last_use(i));
  }
  const auto middle = uses.begin() + (std::ssize(uses) - 1) / 2;
  std::nth_element(uses.begin(), middle, uses.end());
  // A recently used conversation is not given up for density where prefilling it again would cost
  // more than the padding tokens of a gap; what is stored is back at once.
  const std::uint64_t newest_allowed =
      store_.enabled() ? std::numeric_limits<std::uint64_t>::max() : *middle;

  const std::vector<std::int32_t> gaps = gaps_to_busy();
  core::StreamId best = kNone;
  auto best_cost = std::tuple(true, std::numeric_limits<std::int32_t>::max(), std::uint64_t{0});
  for (core::StreamId i = 0; i < std::ssize(streams_); ++i) {
    if (streams_[i].busy || last_use(i) > newest_allowed) continue;
    const auto cost = std::tuple(!store_.enabled() && length(i) > 0, gaps[i], last_use(i));
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
