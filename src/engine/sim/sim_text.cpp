#include "engine/sim/sim_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "engine/sim/sim_tokenizer.h"

namespace switchyard::engine {
namespace {

constexpr std::array<std::string_view, 32> kWords = {
    "the ",   "a ",     "train ", "switch ", "signal ",  "yard ",   "engine ", "moves ",
    "waits ", "and ",   "over ",  "under ",  "slow ",    "quick ",  "night ",  "morning ",
    "steam ", "track ", "north ", "south ",  "arrives ", "leaves ", "with ",   "seven ",
    "cars, ", "then ",  "again ", "until ",  "green ",   "red ",    "light. ", "here. "};

// Two-, three- and four-byte characters, combining accents, Thai, Hangul, a ZWJ family, a flag.
constexpr std::array<std::string_view, 12> kUnicodeWords = {
    "h\u00e9llo ",
    "\u4f60\u597d ",
    "\u3053\u3093\u306b\u3061\u306f ",
    "\uc548\ub155 ",
    "\U0001f600",
    "e\u0301a\u0308 ",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 ",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 ",
    "\U0001f1eb\U0001f1f7",
    "\u0434\u0430 ",
    "\U0001f44d\U0001f3fd ",
    "\U00020bb7\u91ce\u5bb6 "};

constexpr std::int32_t kShortestAnswer = 20;
constexpr std::int32_t kLongestAnswer = 400;

/// splitmix64: a bijection with good avalanche, so that neighbours in index share no pattern.
std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

std::uint64_t hash_tokens(std::span<const core::TokenId> tokens) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a, a token at a time
  for (const core::TokenId token : tokens) {
    hash = (hash ^ static_cast<std::uint32_t>(token)) * 0x100000001b3ULL;
  }
  return mix(hash);
}

bool mentions(std::span<const core::TokenId> tokens, std::string_view word) {
  return std::search(tokens.begin(), tokens.end(), word.begin(), word.end(),
                     [](core::TokenId token, char byte) {
                       return token == static_cast<unsigned char>(byte);
                     }) != tokens.end();
}

}  // namespace

SimText::SimText(std::span<const core::TokenId> prompt, const core::SamplingParams& sampling)
    : hash_(hash_tokens(prompt)),
      unicode_(mentions(prompt, "unicode")),
      top_logprobs_(sampling.top_logprobs) {
  if (sampling.temperature > 0) hash_ = mix(hash_ ^ mix(sampling.seed));
  const auto natural = static_cast<std::int32_t>(
      kShortestAnswer + mix(~hash_) % (kLongestAnswer - kShortestAnswer + 1));
  end_at_ = sampling.ignore_eos ? -1 : std::max(natural, sampling.min_tokens);
}

core::TokenId SimText::next_token() {
  if (generated_ == end_at_) return SimTokenizer::kTurnEnd;
  if (rest_of_word_.empty()) {
    const std::uint64_t draw = mix(hash_ + next_word_++);
    rest_of_word_ =
        unicode_ ? kUnicodeWords[draw % kUnicodeWords.size()] : kWords[draw % kWords.size()];
  }
  const auto byte = static_cast<unsigned char>(rest_of_word_.front());
  rest_of_word_.remove_prefix(1);
  return byte;
}

core::SampledToken SimText::next() {
  core::SampledToken sampled;
  sampled.token = next_token();
  ended_ = generated_ == end_at_;
  sampled.end_of_generation = ended_;
  ++generated_;
  if (top_logprobs_ >= 0) add_logprobs(sampled);
  return sampled;
}

void SimText::add_logprobs(core::SampledToken& token) const {
  // Geometric: the i-th most likely token has 0.6 × 0.35^i, in sum 0.92. The alternatives are the
  // tokens after the sampled one, around the vocabulary.
  const auto logprob = [](std::int32_t rank) {
    return static_cast<float>(std::log(0.6) + rank * std::log(0.35));
  };
  token.logprob = logprob(0);
  const std::int32_t count = std::min(top_logprobs_, SimTokenizer::kVocabularySize);
  for (std::int32_t rank = 0; rank < count; ++rank) {
    token.top_logprobs.push_back(
        {(token.token + rank) % SimTokenizer::kVocabularySize, logprob(rank)});
  }
}

}  // namespace switchyard::engine
