#include "engine/sim/sim_tokenizer.h"

#include <array>

namespace switchyard::engine {
namespace {

struct Special {
  core::TokenId token;
  std::string_view text;
};

constexpr std::array<Special, 3> kSpecials = {{
    {SimTokenizer::kTurnStart, "<|im_start|>"},
    {SimTokenizer::kTurnEnd, "<|im_end|>"},
    {SimTokenizer::kTextEnd, "<|endoftext|>"},
}};

const Special* special_at(std::string_view text) {
  for (const Special& special : kSpecials) {
    if (text.starts_with(special.text)) return &special;
  }
  return nullptr;
}

}  // namespace

std::vector<core::TokenId> SimTokenizer::tokenize(std::string_view text, bool /*add_special*/,
                                                  bool parse_special) const {
  std::vector<core::TokenId> tokens;
  tokens.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Special* special =
        parse_special && text[at] == '<' ? special_at(text.substr(at)) : nullptr;
    tokens.push_back(special ? special->token : static_cast<unsigned char>(text[at]));
    at += special ? special->text.size() : 1;
  }
  return tokens;
}

void SimTokenizer::append_piece(core::TokenId token, bool special, std::string& out) const {
  if (token >= 0 && token < 256) {
    out.push_back(static_cast<char>(token));
    return;
  }
  if (!special) return;
  for (const Special& candidate : kSpecials) {
    if (candidate.token == token) out.append(candidate.text);
  }
}

bool SimTokenizer::is_end_of_generation(core::TokenId token) const {
  return token == kTurnEnd || token == kTextEnd;
}

Result<std::string> SimTokenizer::apply_chat_template(std::span<const ChatMessage> messages) const {
  std::string prompt;
  for (const ChatMessage& message : messages) {
    prompt += "<|im_start|>" + message.role + "\n" + message.content + message.tool_calls_json +
              "<|im_end|>\n";
  }
  return prompt + "<|im_start|>assistant\n";
}

}  // namespace switchyard::engine
