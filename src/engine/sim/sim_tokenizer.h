#pragma once

#include "engine/engine.h"

namespace switchyard::engine {

/// Byte-level vocabulary: tokens 0–255 are bytes, then three specials. Stateless.
class SimTokenizer final : public Tokenizer {
 public:
  static constexpr core::TokenId kTurnStart = 256;  ///< <|im_start|>
  static constexpr core::TokenId kTurnEnd = 257;    ///< <|im_end|>, ends a generation
  static constexpr core::TokenId kTextEnd = 258;    ///< <|endoftext|>, ends a generation
  static constexpr std::int32_t kVocabularySize = 259;

  /// The model is configured to add no special tokens, so `add_special` changes nothing.
  std::vector<core::TokenId> tokenize(std::string_view text, bool add_special,
                                      bool parse_special) const override;
  void append_piece(core::TokenId token, bool special, std::string& out) const override;
  bool is_end_of_generation(core::TokenId token) const override;
  std::int32_t vocabulary_size() const override { return kVocabularySize; }
  /// `<|im_start|>ROLE\nCONTENT<|im_end|>\n` for each message, then the assistant's start.
  Result<std::string> apply_chat_template(std::span<const ChatMessage> messages) const override;
};

}  // namespace switchyard::engine
