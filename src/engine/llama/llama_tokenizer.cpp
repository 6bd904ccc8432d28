#include "engine/llama/llama_tokenizer.h"

#include <chat.h>
#include <llama.h>

#include <algorithm>
#include <array>
#include <exception>

namespace switchyard::engine {
namespace {

ChatTemplatesHandle read_templates(const llama_model& model) {
  if (llama_model_chat_template(&model, nullptr) == nullptr) return nullptr;
  try {
    return ChatTemplatesHandle(common_chat_templates_init(&model, "").release());
  } catch (const std::exception&) {
    return nullptr;  // a template this version cannot parse is like none
  }
}

common_json to_json(std::span<const ChatMessage> messages) {
  common_json list = common_json::array();
  for (const ChatMessage& message : messages) {
    common_json entry;
    entry["role"] = message.role;
    entry["content"] = message.content;
    if (!message.name.empty()) entry["name"] = message.name;
    if (!message.tool_call_id.empty()) entry["tool_call_id"] = message.tool_call_id;
    if (!message.tool_calls_json.empty()) {
      entry["tool_calls"] = common_json::parse(message.tool_calls_json);
    }
    list.push_back(entry);
  }
  return list;
}

}  // namespace

LlamaTokenizer::LlamaTokenizer(const llama_model& model)
    : vocab_(llama_model_get_vocab(&model)), templates_(read_templates(model)) {
  for (core::TokenId token = 0; token < llama_vocab_n_tokens(vocab_); ++token) {
    if (llama_vocab_is_eog(vocab_, token)) end_tokens_.push_back(token);
  }
}

LlamaTokenizer::~LlamaTokenizer() = default;

std::vector<core::TokenId> LlamaTokenizer::tokenize(std::string_view text, bool add_special,
                                                    bool parse_special) const {
  const auto size = static_cast<std::int32_t>(text.size());
  std::vector<core::TokenId> tokens(text.size() + 8);  // a token is at least a byte, plus specials
  const std::int32_t count =
      llama_tokenize(vocab_, text.data(), size, tokens.data(),
                     static_cast<std::int32_t>(tokens.size()), add_special, parse_special);
  tokens.resize(static_cast<std::size_t>(std::max(count, 0)));
  return tokens;
}

void LlamaTokenizer::append_piece(core::TokenId token, bool special, std::string& out) const {
  if (token < 0 || token >= vocabulary_size()) return;
  std::array<char, 64> buffer;
  std::int32_t size = llama_token_to_piece(vocab_, token, buffer.data(), buffer.size(), 0, special);
  if (size >= 0) {
    out.append(buffer.data(), static_cast<std::size_t>(size));
    return;
  }
  const std::size_t before = out.size();
  out.resize(before + static_cast<std::size_t>(-size));
  size = llama_token_to_piece(vocab_, token, out.data() + before, -size, 0, special);
  out.resize(before + static_cast<std::size_t>(std::max(size, 0)));
}

bool LlamaTokenizer::is_end_of_generation(core::TokenId token) const {
  return std::find(end_tokens_.begin(), end_tokens_.end(), token) != end_tokens_.end();
}

std::int32_t LlamaTokenizer::vocabulary_size() const { return llama_vocab_n_tokens(vocab_); }

Result<std::string> LlamaTokenizer::apply_chat_template(
    std::span<const ChatMessage> messages) const {
  const auto refuse = [](const char* why) {
    return Error{ErrorCode::kInvalidRequest, why, "messages"};
  };
  if (!templates_) return refuse("this model has no chat template; use /v1/completions");
  try {
    common_chat_templates_inputs inputs;
    inputs.messages = common_chat_msgs_parse_oaicompat(to_json(messages));
    inputs.reasoning_format = COMMON_REASONING_FORMAT_NONE;
    inputs.force_pure_content = true;  // render only: no tool-call parser is derived per request
    return common_chat_templates_apply(templates_.get(), inputs).prompt;
  } catch (const std::exception&) {
    // The exception's text may quote the client's messages.
    return refuse("the model's chat template does not accept these messages");
  }
}

}  // namespace switchyard::engine
