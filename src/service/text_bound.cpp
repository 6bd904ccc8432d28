#include "service/text_bound.h"

#include <algorithm>

namespace switchyard::service {

TextBound::TextBound(const engine::Tokenizer& tokenizer) {
  std::string piece;
  for (core::TokenId token = 0; token < tokenizer.vocabulary_size(); ++token) {
    piece.clear();
    tokenizer.append_piece(token, false, piece);
    if (piece.empty()) {
      tokenizer.append_piece(token, true, piece);
      if (!piece.empty()) control_texts_.push_back(piece);
    }
    longest_piece_bytes_ = std::max(longest_piece_bytes_, piece.size());
  }
  std::sort(control_texts_.begin(), control_texts_.end());
  for (const std::string& text : control_texts_) {
    if (first_bytes_.find(text.front()) == std::string::npos) first_bytes_ += text.front();
  }
}

// Bytes of the control token's text that `text` begins with, 0 if with none. Of texts that begin
// with each other only the one sorted next is tried: the bound may be low, never high.
std::size_t TextBound::control_text_at(std::string_view text) const {
  const auto after = std::upper_bound(control_texts_.begin(), control_texts_.end(), text);
  if (after == control_texts_.begin()) return 0;
  const std::string& candidate = *std::prev(after);
  return text.starts_with(candidate) ? candidate.size() : 0;
}

std::size_t TextBound::least_tokens(std::string_view text, bool parse_special) const {
  std::size_t control_tokens = 0;
  std::size_t other_bytes = text.size();
  std::size_t at = parse_special ? text.find_first_of(first_bytes_) : std::string_view::npos;
  while (at != std::string_view::npos) {
    const std::size_t bytes = control_text_at(text.substr(at));
    if (bytes > 0) {
      ++control_tokens;
      other_bytes -= bytes;
    }
    at = text.find_first_of(first_bytes_, at + std::max<std::size_t>(bytes, 1));
  }
  return control_tokens + (other_bytes + longest_piece_bytes_ - 1) / longest_piece_bytes_;
}

}  // namespace switchyard::service
