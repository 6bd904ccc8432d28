#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/types.h"

namespace switchyard::speculation {

/// Lengths of the n-grams that are looked up. 2 ≤ min_ngram ≤ max_ngram.
struct NgramOptions {
  std::int32_t min_ngram = 2;
  std::int32_t max_ngram = 4;
};

/// What followed an earlier occurrence of the sequence's last tokens.
struct NgramDraft {
  std::span<const core::TokenId> tokens;  ///< valid until the drafter is used again
  /// How many of the sequence's last tokens the occurrence has in common with it, at most
  /// NgramDrafter::kMaxMatch; 0 if there is none.
  std::int32_t match_tokens = 0;
};

/// Drafts a sequence's continuation from its own tokens, prompt and output (prompt lookup
/// decoding; Saxena 2023, vLLM's `ngram`). Not thread safe.
///
/// For each n-gram length a hash table holds where the latest occurrence of each n-gram went on. An
/// appended token and a draft cost O(max_ngram), the length of the sequence has no part in it.
/// Memory: at most 8 + 16 × (max_ngram − min_ngram + 1) bytes for each token (56 with the
/// defaults) of the longest sequence it had; nothing is allocated within what reset() reserved.
class NgramDrafter {
 public:
  /// Longer matches are not told apart.
  static constexpr std::int32_t kMaxMatch = 32;

  explicit NgramDrafter(const NgramOptions& options = {});

  /// Begins a new sequence and reserves memory for so many tokens. It may grow beyond them.
  void reset(std::int32_t expected_tokens);
  /// The sequence has these tokens too: prompt tokens, or tokens that were emitted (never drafts).
  void append(std::span<const core::TokenId> tokens);
  /// At most `max_tokens` tokens. Of the latest occurrence of the longest n-gram and the one that
  /// the last draft came from, the one with the longer match is taken. A draft that reaches the
  /// end of the sequence goes on with itself, so that a loop is drafted whole.
  NgramDraft propose(std::int32_t max_tokens);

  std::int32_t size() const { return static_cast<std::int32_t>(tokens_.size()); }
  std::size_t memory_bytes() const;

 private:
  /// Where the n-gram went on; 0: free. Linear probing, at most half full.
  using Table = std::vector<std::uint32_t>;

  void append(core::TokenId token);
  /// Calls visit(table, n, hash) for each n-gram that ends before `end`, shortest first, while it
  /// returns true.
  template <typename Visit>
  void for_each_ngram(std::uint32_t end, Visit visit);
  std::uint32_t& find(Table& table, std::int32_t n, std::uint64_t hash, std::uint32_t end);
  bool same_ngram(std::uint32_t a, std::uint32_t b, std::int32_t n) const;
  void remember(std::uint32_t end);
  std::uint32_t look_up();
  std::int32_t match_length(std::uint32_t source) const;
  void resize_tables(std::size_t n_tokens);

  NgramOptions options_;
  std::vector<core::TokenId> tokens_;
  std::vector<Table> tables_;  ///< by length − min_ngram, all of 2^table_bits_ slots
  int table_bits_ = 0;
  std::uint32_t source_ = 0;  ///< what the last draft predicts to come next; 0: nothing
  std::vector<core::TokenId> draft_;
};

}  // namespace switchyard::speculation
