#include "workload/synthetic_workload.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "workload/random.h"

namespace switchyard::workload {
namespace {

/// Short frequent words: with the blank before them they are one token in most vocabularies.
constexpr std::array<std::string_view, 64> kWords = {
    "the",  "of",   "and",   "to",    "in",    "is",    "that",  "for",  "it",   "as",   "was",
    "with", "be",   "by",    "on",    "not",   "he",    "his",   "but",  "at",   "are",  "this",
    "have", "from", "or",    "had",   "an",    "they",  "which", "one",  "you",  "were", "all",
    "her",  "she",  "there", "would", "their", "we",    "him",   "been", "has",  "when", "who",
    "will", "no",   "more",  "if",    "out",   "so",    "up",    "said", "what", "its",  "about",
    "than", "into", "them",  "can",   "only",  "other", "time",  "new",  "some"};

}  // namespace

std::string synthetic_words(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::string text;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0) text.push_back(' ');
    text += kWords[random.below(kWords.size())];
  }
  return text;
}

SyntheticWorkload::SyntheticWorkload(std::vector<TraceRow> rows, std::int32_t block_tokens,
                                     std::uint64_t seed)
    : rows_(std::move(rows)), block_tokens_(block_tokens), seed_(seed) {}

std::string SyntheticWorkload::prompt_of(std::size_t index) const {
  const TraceRow& row = rows_[index];
  const auto words_of = [&](double tokens) {
    return static_cast<std::int64_t>(std::llround(tokens / scale_.tokens_per_word));
  };
  std::int64_t left =
      std::max<std::int64_t>(1, words_of(row.input_tokens - scale_.overhead_tokens));
  std::string text;
  const std::int64_t block = std::max<std::int64_t>(1, words_of(block_tokens_));
  for (const std::int64_t id : row.block_ids) {
    if (left == 0) break;
    const std::int64_t words = std::min(left, block);
    if (!text.empty()) text.push_back(' ');
    text += synthetic_words(words, seed_ ^ (static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15U));
    left -= words;
  }
  if (left == 0) return text;
  if (!text.empty()) text.push_back(' ');
  return text + synthetic_words(left, (seed_ + 1) * 0xD1342543DE82EF95U + index);
}

Session SyntheticWorkload::session(std::size_t index) const {
  Session session;
  session.messages.push_back({Role::kUser, prompt_of(index)});
  session.turns.push_back({1, rows_[index].output_tokens, rows_[index].input_tokens});
  return session;
}

std::vector<TraceRow> draw_lengths(std::size_t count, LengthRange input, LengthRange output,
                                   std::uint64_t seed) {
  Random random(seed);
  const auto draw = [&](LengthRange range) {
    const auto width = static_cast<std::uint64_t>(range.most - range.least) + 1;
    return range.least + static_cast<std::int32_t>(random.below(width));
  };
  std::vector<TraceRow> rows(count);
  for (auto& row : rows) {
    row.input_tokens = draw(input);
    row.output_tokens = draw(output);
  }
  return rows;
}

}  // namespace switchyard::workload
