#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace switchyard::router {

/// What one word says about a request.
enum class Signal : std::uint8_t {
  kNone,
  kThe,  ///< skipped between the words of a phrase
  kOf,
  kFollowing,  ///< "which of the following"
  kChoice,     ///< of answers to pick from
  kHow,        ///< "how many", "how much"
  kMany,
  kCalculate,
  kCode,
  kShape,         ///< a form that answers can be held to
  kShapeRequest,  ///< "answer in …"
  kCopy,          ///< work on the text that is given
};

inline constexpr std::uint32_t kWordHashSeed = 2166136261U;

/// FNV-1a over the word's letters in lower case.
constexpr std::uint32_t extend_word_hash(std::uint32_t hash, char letter) {
  return (hash ^ (static_cast<unsigned char>(letter) | 0x20U)) * 16777619U;
}

namespace word_signals {

struct WordSignal {
  std::string_view word;
  Signal signal;
};

/// The rules' vocabulary, all in lower case.
inline constexpr WordSignal kWords[] = {
    {"the", Signal::kThe},
    {"of", Signal::kOf},
    {"following", Signal::kFollowing},
    {"choose", Signal::kChoice},
    {"options", Signal::kChoice},
    {"choices", Signal::kChoice},
    {"choice", Signal::kChoice},
    {"how", Signal::kHow},
    {"many", Signal::kMany},
    {"much", Signal::kMany},
    {"calculate", Signal::kCalculate},
    {"compute", Signal::kCalculate},
    {"solve", Signal::kCalculate},
    {"evaluate", Signal::kCalculate},
    {"sum", Signal::kCalculate},
    {"product", Signal::kCalculate},
    {"multiply", Signal::kCalculate},
    {"multiplied", Signal::kCalculate},
    {"divided", Signal::kCalculate},
    {"percent", Signal::kCalculate},
    {"equation", Signal::kCalculate},
    {"plus", Signal::kCalculate},
    {"minus", Signal::kCalculate},
    {"times", Signal::kCalculate},
    {"python", Signal::kCode},
    {"javascript", Signal::kCode},
    {"typescript", Signal::kCode},
    {"java", Signal::kCode},
    {"rust", Signal::kCode},
    {"golang", Signal::kCode},
    {"bash", Signal::kCode},
    {"sql", Signal::kCode},
    {"html", Signal::kCode},
    {"css", Signal::kCode},
    {"regex", Signal::kCode},
    {"def", Signal::kCode},
    {"import", Signal::kCode},
    {"const", Signal::kCode},
    {"void", Signal::kCode},
    {"printf", Signal::kCode},
    {"println", Signal::kCode},
    {"stacktrace", Signal::kCode},
    {"traceback", Signal::kCode},
    {"compiler", Signal::kCode},
    {"refactor", Signal::kCopy},
    {"function", Signal::kCode},
    {"code", Signal::kCode},
    {"script", Signal::kCode},
    {"debug", Signal::kCode},
    {"api", Signal::kCode},
    {"json", Signal::kShape},
    {"yaml", Signal::kShape},
    {"xml", Signal::kShape},
    {"csv", Signal::kShape},
    {"toml", Signal::kShape},
    {"schema", Signal::kShape},
    {"return", Signal::kShapeRequest},
    {"output", Signal::kShapeRequest},
    {"respond", Signal::kShapeRequest},
    {"reply", Signal::kShapeRequest},
    {"answer", Signal::kShapeRequest},
    {"format", Signal::kShapeRequest},
    {"valid", Signal::kShapeRequest},
    {"keys", Signal::kShapeRequest},
    {"fields", Signal::kShapeRequest},
    {"only", Signal::kShapeRequest},
    {"convert", Signal::kShapeRequest},
    {"object", Signal::kShapeRequest},
    {"rewrite", Signal::kCopy},
    {"edit", Signal::kCopy},
    {"fix", Signal::kCopy},
    {"correct", Signal::kCopy},
    {"proofread", Signal::kCopy},
    {"modify", Signal::kCopy},
    {"extract", Signal::kCopy},
    {"quote", Signal::kCopy},
    {"verbatim", Signal::kCopy},
    {"reformat", Signal::kCopy},
    {"rename", Signal::kCopy},
    {"annotate", Signal::kCopy},
};

struct Slot {
  std::uint32_t hash = 0;
  Signal signal = Signal::kNone;
};
inline constexpr std::size_t kSlots = 256;

constexpr std::uint32_t hash_word(std::string_view word) {
  std::uint32_t hash = kWordHashSeed;
  for (const char letter : word) hash = extend_word_hash(hash, letter);
  return hash;
}

/// An open-addressing table of the words' hashes, made by the compiler.
constexpr std::array<Slot, kSlots> make_slots() {
  std::array<Slot, kSlots> slots{};
  for (const WordSignal& entry : kWords) {
    const std::uint32_t hash = hash_word(entry.word);
    std::size_t at = hash % kSlots;
    while (slots[at].signal != Signal::kNone) at = (at + 1) % kSlots;
    slots[at] = {hash, entry.signal};
  }
  return slots;
}
inline constexpr std::array<Slot, kSlots> kTable = make_slots();

}  // namespace word_signals

/// kNone for a word that is not in the vocabulary (but for a collision of 32-bit hashes).
constexpr Signal signal_of(std::uint32_t hash) {
  using word_signals::kSlots;
  using word_signals::kTable;
  for (std::size_t at = hash % kSlots; kTable[at].signal != Signal::kNone; at = (at + 1) % kSlots) {
    if (kTable[at].hash == hash) return kTable[at].signal;
  }
  return Signal::kNone;
}

}  // namespace switchyard::router
