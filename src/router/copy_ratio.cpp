#include "router/copy_ratio.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace switchyard::router {
namespace {

constexpr std::size_t kWindowTokens = 4096;
constexpr std::size_t kSlots = 8192;  ///< a power of two; half full at most
constexpr std::size_t kGram = 3;

/// An answer that edits the prompt repeats most of it; what it changes is the rest.
constexpr double kCopyingShare = 0.8;

std::uint32_t hash_gram(const std::int32_t* tokens) {
  std::uint64_t hash = 0x9E3779B97F4A7C15U;
  for (std::size_t i = 0; i < kGram; ++i) {
    hash = (hash ^ static_cast<std::uint32_t>(tokens[i])) * 0xD6E8FEB86659FD93U;
    hash ^= hash >> 32U;
  }
  return static_cast<std::uint32_t>(hash) | 1U;  // 0 is an empty slot
}

/// Fixed memory. A gram counts as seen if its 32-bit hash was.
class SeenGrams {
 public:
  /// True if it was there already.
  bool add(std::uint32_t hash) {
    std::size_t at = (hash >> 1U) % kSlots;
    while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) % kSlots;
    const bool seen = slots_[at] == hash;
    slots_[at] = hash;
    return seen;
  }

 private:
  std::array<std::uint32_t, kSlots> slots_{};
};

}  // namespace

double repeated_share(std::span<const std::int32_t> tokens) {
  if (tokens.size() > kWindowTokens) tokens = tokens.last(kWindowTokens);
  if (tokens.size() <= kGram) return 0;
  SeenGrams grams;
  const std::size_t n = tokens.size() - kGram + 1;
  std::size_t repeated = 0;
  for (std::size_t i = 0; i < n; ++i) repeated += grams.add(hash_gram(&tokens[i])) ? 1 : 0;
  return static_cast<double>(repeated) / static_cast<double>(n);
}

double copy_ratio(double repeated, bool asks_to_copy) {
  return std::clamp(asks_to_copy ? std::max(repeated, kCopyingShare) : repeated, 0.0, 1.0);
}

}  // namespace switchyard::router
