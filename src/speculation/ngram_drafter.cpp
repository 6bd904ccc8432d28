#include "speculation/ngram_drafter.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace switchyard::speculation {
namespace {

constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;  // 2^64 / golden ratio
constexpr int kMinTableBits = 6;

}  // namespace

NgramDrafter::NgramDrafter(const NgramOptions& options) : options_(options) {
  options_.min_ngram = std::max(options_.min_ngram, 2);
  options_.max_ngram = std::max(options_.max_ngram, options_.min_ngram);
  tables_.resize(static_cast<std::size_t>(options_.max_ngram - options_.min_ngram) + 1);
  resize_tables(0);
}

void NgramDrafter::reset(std::int32_t expected_tokens) {
  const auto expected = static_cast<std::size_t>(std::max(expected_tokens, 0));
  tokens_.clear();
  tokens_.reserve(expected);
  draft_.clear();
  source_ = 0;
  resize_tables(expected);
}

void NgramDrafter::append(std::span<const core::TokenId> tokens) {
  for (const core::TokenId token : tokens) append(token);
}

void NgramDrafter::append(core::TokenId token) {
  if ((tokens_.size() + 1) * 2 > tables_.front().size()) {
    resize_tables(tokens_.size() + 1);
    for (std::uint32_t end = 1; end < tokens_.size(); ++end) remember(end);
  }
  // Only now is it known how the n-grams at the end go on; before, a look-up would find itself.
  remember(static_cast<std::uint32_t>(tokens_.size()));
  source_ = source_ != 0 && tokens_[source_] == token ? source_ + 1 : 0;
  tokens_.push_back(token);
}

void NgramDrafter::resize_tables(std::size_t n_tokens) {
  table_bits_ = std::max(kMinTableBits, std::countr_zero(std::bit_ceil(n_tokens * 2)));
  for (Table& table : tables_) table.assign(std::size_t{1} << table_bits_, 0);
}

template <typename Visit>
void NgramDrafter::for_each_ngram(std::uint32_t end, Visit visit) {
  const std::int32_t longest = std::min(options_.max_ngram, static_cast<std::int32_t>(end));
  std::uint64_t hash = 0;
  for (std::int32_t n = 1; n <= longest; ++n) {
    hash = (hash + static_cast<std::uint32_t>(tokens_[end - n]) + 1) * kMultiplier;
    if (n < options_.min_ngram) continue;
    if (!visit(tables_[static_cast<std::size_t>(n - options_.min_ngram)], n, hash)) return;
  }
}

/// The slot of the n-gram that ends before `end`, or the free one where it belongs.
std::uint32_t& NgramDrafter::find(Table& table, std::int32_t n, std::uint64_t hash,
                                  std::uint32_t end) {
  const std::size_t mask = table.size() - 1;
  std::size_t slot = hash >> (64 - table_bits_);
  while (table[slot] != 0 && !same_ngram(table[slot], end, n)) slot = (slot + 1) & mask;
  return table[slot];
}

bool NgramDrafter::same_ngram(std::uint32_t a, std::uint32_t b, std::int32_t n) const {
  const core::TokenId* tokens = tokens_.data();
  return std::equal(tokens + a - n, tokens + a, tokens + b - n);
}

void NgramDrafter::remember(std::uint32_t end) {
  for_each_ngram(end, [&](Table& table, std::int32_t n, std::uint64_t hash) {
    find(table, n, hash, end) = end;
    return true;
  });
}

std::uint32_t NgramDrafter::look_up() {
  const auto end = static_cast<std::uint32_t>(tokens_.size());
  std::uint32_t longest = 0;
  for_each_ngram(end, [&](Table& table, std::int32_t n, std::uint64_t hash) {
    const std::uint32_t found = find(table, n, hash, end);
    if (found != 0) longest = found;
    return found != 0;  // a longer n-gram has never been without its shorter end
  });
  return longest;
}

std::int32_t NgramDrafter::match_length(std::uint32_t source) const {
  const auto end = static_cast<std::uint32_t>(tokens_.size());
  const auto longest = std::min(kMaxMatch, static_cast<std::int32_t>(source));
  std::int32_t length = 0;
  while (length < longest && tokens_[source - 1 - length] == tokens_[end - 1 - length]) ++length;
  return length;
}

NgramDraft NgramDrafter::propose(std::int32_t max_tokens) {
  draft_.clear();
  const std::uint32_t latest = look_up();
  std::int32_t match = latest != 0 ? match_length(latest) : 0;
  const std::int32_t continued = source_ != 0 ? match_length(source_) : 0;
  if (continued > match) {
    match = continued;
  } else {
    source_ = latest;
  }
  if (match == 0) return {};
  for (std::int32_t i = 0; i < max_tokens; ++i) {
    const std::size_t at = source_ + static_cast<std::size_t>(i);
    draft_.push_back(at < tokens_.size() ? tokens_[at] : draft_[at - tokens_.size()]);
  }
  return {draft_, match};
}

std::size_t NgramDrafter::memory_bytes() const {
  std::size_t bytes = (tokens_.capacity() + draft_.capacity()) * sizeof(core::TokenId);
  for (const Table& table : tables_) bytes += table.capacity() * sizeof(std::uint32_t);
  return bytes;
}

}  // namespace switchyard::speculation
