#include "router/request_class.h"

#include <algorithm>

#include "router/word_signals.h"

namespace switchyard::router {
namespace {

constexpr std::size_t kReadBytes = 8192;  ///< at either end
constexpr std::size_t kInstructionBytes = 240;
constexpr std::size_t kWorthCopyingBytes = 400;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// What was seen in the text. Counts are of words unless said otherwise.
struct Evidence {
  int numbers = 0;
  int equations = 0;  ///< NUMBER OPERATOR NUMBER
  int quantity_questions = 0;
  int calculations = 0;
  int choices = 0;
  unsigned option_letters = 0;  ///< bit per letter that opens a line like "B)"
  int code = 0;
  int code_fences = 0;
  int code_lines = 0;  ///< ending in ; { or }
  int shapes = 0;
  int shape_requests = 0;
  bool copy_instruction = false;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  void read(std::size_t from, std::size_t to) {
    line_start_ = true;
    for (std::size_t i = from; i < to;) {
      if (line_start_) note_option(i, to);
      i = is_letter(text_[i]) ? word(i, to) : is_digit(text_[i]) ? number(i, to) : symbol(i);
    }
  }

  const Evidence& evidence() const { return seen_; }

 private:
  std::size_t word(std::size_t i, std::size_t to) {
    const std::size_t begin = i;
    std::uint32_t hash = kWordHashSeed;
    while (i < to && is_letter(text_[i])) hash = extend_word_hash(hash, text_[i++]);
    note_word(signal_of(hash), begin);
    line_start_ = false;
    after_operator_ = false;
    return i;
  }

  void note_word(Signal signal, std::size_t at) {
    if (signal == Signal::kMany && last_ == Signal::kHow) ++seen_.quantity_questions;
    if (signal == Signal::kFollowing && last_ == Signal::kOf) ++seen_.choices;
    seen_.calculations += signal == Signal::kCalculate ? 1 : 0;
    seen_.choices += signal == Signal::kChoice ? 1 : 0;
    seen_.code += signal == Signal::kCode ? 1 : 0;
    seen_.shapes += signal == Signal::kShape ? 1 : 0;
    seen_.shape_requests += signal == Signal::kShapeRequest ? 1 : 0;
    const bool instruction = at < kInstructionBytes || at + kInstructionBytes > text_.size();
    if (signal == Signal::kCopy && instruction) seen_.copy_instruction = true;
    if (signal != Signal::kThe) last_ = signal;
  }

  std::size_t number(std::size_t i, std::size_t to) {
    while (i < to && (is_digit(text_[i]) || text_[i] == '.' || text_[i] == ',')) ++i;
    ++seen_.numbers;
    if (after_operator_) ++seen_.equations;
    after_operator_ = false;
    number_end_ = i;
    line_start_ = false;
    last_ = Signal::kNone;
    return i;
  }

  std::size_t symbol(std::size_t i) {
    const char c = text_[i];
    if (c == '\n') {
      if (i > 0 && (text_[i - 1] == ';' || text_[i - 1] == '{' || text_[i - 1] == '}')) {
        ++seen_.code_lines;
      }
      line_start_ = true;
    } else if (c == '`' && text_.substr(i, 3) == "```") {
      ++seen_.code_fences;
      return i + 3;
    } else if (c == '+' || c == '*' || c == '/' || c == '-' || c == '^') {
      // "12 + 7", not "2024-12-07": a space on either side, or none and no further sign.
      after_operator_ = number_end_ > 0 && i <= number_end_ + 1 && (c != '-' || i > number_end_);
    }
    return i + 1;
  }

  /// "B)", "(B)", "B." or "B:" at the start of a line.
  void note_option(std::size_t i, std::size_t to) {
    while (i < to && (text_[i] == ' ' || text_[i] == '(')) ++i;
    if (i + 1 >= to) return;
    const char letter = text_[i] >= 'a' ? static_cast<char>(text_[i] - 'a' + 'A') : text_[i];
    const char mark = text_[i + 1];
    if (letter >= 'A' && letter <= 'H' && (mark == ')' || mark == '.' || mark == ':')) {
      seen_.option_letters |= 1U << (letter - 'A');
    }
  }

  std::string_view text_;
  Evidence seen_;
  Signal last_ = Signal::kNone;
  bool line_start_ = true;
  bool after_operator_ = false;
  std::size_t number_end_ = 0;
};

RequestClass class_of(const Evidence& seen) {
  const bool has_abc = (seen.option_letters & 7U) == 7U;
  const bool has_ab = (seen.option_letters & 3U) == 3U;
  if (has_abc || (has_ab && seen.choices > 0)) return RequestClass::kMultipleChoice;
  if (seen.code_fences > 0 || seen.code_lines >= 3 || seen.code >= 2) return RequestClass::kCode;
  if (seen.shapes > 0 && seen.shape_requests > 0) return RequestClass::kStructured;
  const bool computes = seen.quantity_questions + seen.calculations > 0;
  if (seen.equations > 0 || (computes && seen.numbers >= 2)) return RequestClass::kArithmetic;
  return seen.code > 0 ? RequestClass::kCode : RequestClass::kChat;
}

}  // namespace

TextTraits read_text(std::string_view text, const RequestHints& hints) {
  Reader reader(text);
  const std::size_t head = std::min(text.size(), kReadBytes);
  reader.read(0, head);
  reader.read(std::max(head, text.size() - head), text.size());
  TextTraits traits;
  traits.request_class = hints.tools_offered  ? RequestClass::kTools
                         : hints.schema_given ? RequestClass::kStructured
                                              : class_of(reader.evidence());
  traits.asks_to_copy = reader.evidence().copy_instruction && text.size() >= kWorthCopyingBytes;
  return traits;
}

}  // namespace switchyard::router
