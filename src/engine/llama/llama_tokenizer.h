#pragma once

#include "engine/engine.h"
#include "engine/llama/handles.h"

struct llama_vocab;

namespace switchyard::engine {

/// The model's own vocabulary and chat template. Thread safe: llama.cpp's tokenizer is, and a chat
/// template's syntax tree is only read while it renders (each call has its own context).
/// `model` must outlive it.
class LlamaTokenizer final : public Tokenizer {
 public:
  explicit LlamaTokenizer(const llama_model& model);
  ~LlamaTokenizer() override;

  std::vector<core::TokenId> tokenize(std::string_view text, bool add_special,
                                      bool parse_special) const override;
  void append_piece(core::TokenId token, bool special, std::string& out) const override;
  bool is_end_of_generation(core::TokenId token) const override;
  std::int32_t vocabulary_size() const override;
  /// Error kInvalidRequest if the model has no template, or its template refuses the messages.
  Result<std::string> apply_chat_template(std::span<const ChatMessage> messages) const override;

  const std::vector<core::TokenId>& end_of_generation_tokens() const { return end_tokens_; }

 private:
  const llama_vocab* vocab_;
  std::vector<core::TokenId> end_tokens_;
  ChatTemplatesHandle templates_;  ///< null: the model has none that can be read
};

}  // namespace switchyard::engine
