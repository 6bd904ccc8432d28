#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/types.h"

namespace switchyard::scheduler {

/// The KV streams of one lane: which tokens each holds, and which are in use. A stream keeps its
/// tokens after its request has ended, so that the next turn of a conversation continues in it.
/// Not thread safe.
class StreamTable {
 public:
  StreamTable(std::int32_t n_streams, std::int32_t capacity_tokens);

  /// A free stream, and how many tokens at its start are also the prompt's.
  struct Choice {
    core::StreamId stream = 0;
    std::int32_t keep_tokens = 0;  ///< < prompt size: at least one token is left to evaluate
  };

  /// The free stream a new sequence should take, in this order:
  ///  1. the stream that saves most prefill: shared prefix − ¼ of the other tokens it would lose
  ///     (another conversation may come back for them), if that is positive;
  ///  2. an empty stream, nearest to a busy one (fewer gaps, so fewer passes), lowest id first;
  ///  3. of the older half of the free streams by last use, the nearest to a busy one, oldest
  ///     first. A recently used conversation is never given up for density: prefilling it again
  ///     costs more than the padding tokens of a gap.
  /// Precondition: n_free() > 0, `prompt` is not empty.
  Choice choose(std::span<const core::TokenId> prompt) const;

  /// Cuts the stream to the kept tokens and marks it busy.
  void acquire(Choice choice);
  /// `tokens` have been evaluated in the busy stream.
  void append(core::StreamId stream, std::span<const core::TokenId> tokens);
  /// The stream is free again and keeps its tokens.
  void release(core::StreamId stream);
  /// What the engine holds in this stream is no longer known: nothing of it can be used until the
  /// next acquire() cuts it to 0 tokens.
  void forget(core::StreamId stream);
  /// Forgets the free stream with tokens that was used longest ago; false if there is none.
  bool forget_oldest();

  std::int32_t length(core::StreamId stream) const {
    return static_cast<std::int32_t>(streams_[stream].tokens.size());
  }
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

 private:
  struct Stream {
    std::vector<core::TokenId> tokens;
    std::uint64_t last_use = 0;
    bool busy = false;
    bool known = true;
  };

  std::int32_t shared_prefix(core::StreamId stream, std::span<const core::TokenId> prompt) const;
  core::StreamId best_hit(std::span<const core::TokenId> prompt) const;
  core::StreamId cheapest_victim() const;
  std::vector<std::int32_t> gaps_to_busy() const;

  std::vector<Stream> streams_;
  std::int32_t capacity_tokens_;
  std::int32_t n_free_;
  std::int64_t idle_tokens_ = 0;
  std::uint64_t use_counter_ = 0;
};

}  // namespace switchyard::scheduler
