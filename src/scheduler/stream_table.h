#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/batch.h"
#include "core/types.h"
#include "prefix/prefix_store.h"
#include "prefix/prefix_tree.h"

namespace switchyard::scheduler {

/// The KV memory of one lane: which tokens each stream holds and which are in use, and which
/// prefixes are parked in host memory. A stream keeps its tokens after its request has ended, so
/// that the next turn of a conversation continues in it; when another sequence needs the stream,
/// what only it holds is stored first. Not thread safe.
class StreamTable {
 public:
  /// `pooled`: the streams share one pool, so that a free stream may be dropped to make room in the
  /// plan that would copy from it: copies are made from streams in use and from the store only.
  StreamTable(std::int32_t n_streams, std::int32_t capacity_tokens, bool pooled = false,
              prefix::PrefixStore store = prefix::PrefixStore(0, 0));

  /// A free stream for a prompt, and where the first `keep_tokens` of the prompt come from.
  struct Choice {
    core::StreamId stream = 0;
    std::int32_t keep_tokens = 0;  ///< < prompt size: at least one token is left to evaluate
    core::PrefixSource source;
  };

  /// Of these, what saves most prefill after what is lost by it (tokens that only the stream held:
  /// a part of them is assumed to be needed again, less if they can be stored):
  ///  - to continue in the free stream that holds the longest prefix of the prompt;
  ///  - to copy the longest prefix, from wherever it is, into the cheapest free stream;
  ///  - to start anew in that one.
  /// The cheapest free stream is the nearest to a busy one (fewer gaps, so fewer passes), longest
  /// unused first. Without a store an empty one comes first, else one of the older half by last
  /// use. Precondition: n_free() > 0, `prompt` is not empty.
  Choice choose(std::span<const core::TokenId> prompt, const std::string& salt) const;
  /// How many tokens of a prompt are in memory somewhere.
  std::int32_t match_tokens(std::span<const core::TokenId> prompt, const std::string& salt) const {
    return tree_.match_tokens(salt, prompt.first(prompt.size() - 1));
  }

  /// Stores what would be lost, gives the stream the first tokens of the prompt and marks it busy.
  /// What it stores and restores stays until it is settled.
  void acquire(const Choice& choice, std::span<const core::TokenId> prompt,
               const std::string& salt);
  /// What acquire() asked of the engine since the last settle().
  const std::vector<core::PrefixSave>& saves() const { return saves_; }
  const std::vector<core::PrefixId>& evictions() const { return evictions_; }
  /// The engine has done it, except `lost`: from now on the stored prefixes can be found.
  void settle(std::span<const core::PrefixId> lost);
  /// The engine may have done any part of it: none of the saves counts.
  void settle_failed();

  /// The busy stream's sequence goes on in the free stream `to`, whose own tokens are stored if
  /// they would be lost; `from` becomes free and keeps its tokens.
  void move(core::StreamId from, core::StreamId to);
  /// The busy stream holds nothing after all.
  void empty(core::StreamId stream);
  /// `tokens` have been evaluated in the busy stream.
  void append(core::StreamId stream, std::span<const core::TokenId> tokens);
  /// The stream is free again and keeps its tokens.
  void release(core::StreamId stream);
  /// What the engine holds in this stream is no longer known: nothing of it can be used until the
  /// next acquire() replaces it.
  void forget(core::StreamId stream);
  /// Forgets the free stream with tokens that was used longest ago; false if there is none.
  bool forget_oldest();

  std::int32_t length(core::StreamId stream) const { return streams_[stream].n_tokens; }
  bool is_free(core::StreamId stream) const { return !streams_[stream].busy; }
  std::int32_t n_free() const { return n_free_; }
  /// Free, and forgotten since it was last in use.
  bool is_forgotten(core::StreamId stream) const {
    return !streams_[stream].busy && !streams_[stream].known;
  }
  /// Free, of known content, and with a cell for a padding token.
  bool can_pad(core::StreamId stream) const;
  /// Tokens kept in free streams.
  std::int64_t idle_tokens() const { return idle_tokens_; }
  std::uint64_t stored_bytes() const { return store_.used_bytes(); }

 private:
  struct Stream {
    std::string salt;
    std::int32_t n_tokens = 0;  ///< the tree's; every plan asks for all of them, and often
    std::uint64_t last_use = 0;
    bool busy = false;
    bool known = true;
  };
  struct Unsettled {
    core::PrefixId prefix = 0;
    std::vector<core::TokenId> tokens;
    std::string salt;
  };

  /// In the tree, streams are the negative numbers and stored prefixes are themselves.
  static prefix::HolderId holder(core::StreamId stream) { return -1 - stream; }
  static core::StreamId stream_of(prefix::HolderId holder) {
    return static_cast<core::StreamId>(-1 - holder);
  }
  static bool is_stream(prefix::HolderId holder) { return holder < 0; }

  std::int32_t lost_tokens(core::StreamId stream, std::int32_t keep_tokens) const;
  bool is_worth_storing(core::StreamId stream, std::int32_t lost) const;
  std::int32_t cost_of_loss(core::StreamId stream, std::int32_t keep_tokens) const;
  core::StreamId best_own(const prefix::Match& match) const;
  std::optional<core::PrefixSource> nearest_source(const prefix::Match& match,
                                                   core::StreamId to) const;
  core::StreamId cheapest_victim() const;
  std::vector<std::int32_t> gaps_to_busy() const;
  void store_what_is_lost(core::StreamId stream, std::int32_t keep_tokens);
  void store(core::StreamId stream);
  void hold(core::StreamId stream, std::span<const core::TokenId> tokens, const std::string& salt);
  void cut(core::StreamId stream, std::int32_t n_tokens);
  void occupy(core::StreamId stream, const std::string& salt);
  void evict(core::PrefixId prefix);

  std::vector<Stream> streams_;
  std::int32_t capacity_tokens_;
  bool pooled_;
  std::int32_t n_free_;
  std::int64_t idle_tokens_ = 0;
  std::uint64_t use_counter_ = 0;
  prefix::PrefixTree tree_;
  prefix::PrefixStore store_;
  std::vector<core::PrefixSave> saves_;
  std::vector<core::PrefixId> evictions_;
  std::vector<Unsettled> unsettled_;
};

}  // namespace switchyard::scheduler
