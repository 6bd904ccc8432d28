#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/types.h"

namespace switchyard::prefix {

/// Whose memory holds the tokens: a KV stream or a stored prefix; the numbers are the caller's.
using HolderId = std::int64_t;

/// The longest prefix of a prompt that some holder has.
struct Match {
  std::int32_t tokens = 0;
  std::vector<HolderId> holders;  ///< all that hold these tokens at their start; empty: no match
};

/// A radix tree over token ids: which token sequences are in memory, and in whose. A match compares
/// the tokens themselves, so it is never wrong. Sequences of different salts share nothing.
///
/// Each node but the root has ≥ 1 token and either a holder that ends at its end or ≥ 2 children;
/// so there are at most twice as many nodes as holders, and their tokens are at most the holders'.
/// Not thread safe.
class PrefixTree {
 public:
  PrefixTree();
  ~PrefixTree();
  PrefixTree(PrefixTree&&) noexcept;
  PrefixTree& operator=(PrefixTree&&) noexcept;

  /// A holder without tokens. Precondition: unknown id.
  void add(HolderId holder, const std::string& salt);
  /// The holder has these tokens too, behind the ones it has. Amortised O(tokens).
  void append(HolderId holder, std::span<const core::TokenId> tokens);
  /// The holder keeps its first `n_tokens`. Precondition: it has as many.
  void cut(HolderId holder, std::int32_t n_tokens);
  void remove(HolderId holder);
  bool contains(HolderId holder) const { return holders_.contains(holder); }

  std::int32_t length(HolderId holder) const;
  std::vector<core::TokenId> tokens(HolderId holder) const;
  /// How many tokens at the holder's end no other holder has.
  std::int32_t unique_tokens(HolderId holder) const;
  /// Holders whose tokens are a proper part of this one's, or the same.
  std::vector<HolderId> covered_by(HolderId holder) const;

  /// Only the length of match(): O(tokens), no allocation.
  std::int32_t match_tokens(const std::string& salt, std::span<const core::TokenId> prompt) const;
  Match match(const std::string& salt, std::span<const core::TokenId> prompt) const;

 private:
  struct Node;
  struct Place {
    const Node* node;
    std::int32_t tokens;
  };

  Place find(const std::string& salt, std::span<const core::TokenId> prompt) const;
  Node& split(Node& node, std::int32_t n_tokens);
  Node& grow(Node& from, std::span<const core::TokenId> tokens);
  void leave(Node& node, HolderId holder);
  void tidy(Node& node);

  std::unordered_map<std::string, std::unique_ptr<Node>> roots_;
  std::unordered_map<HolderId, Node*> holders_;  ///< where each one ends
};

}  // namespace switchyard::prefix
