#include "api/logprobs_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "api/json_writer.h"
#include "base/utf8.h"

namespace switchyard::api {
namespace {

using service::TokenLogprobText;

// `{"token":…,"logprob":…,"bytes":[…]` without the closing brace.
void append_chat_token(const std::string& token, float logprob, std::string& out) {
  std::string shown;
  append_valid_utf8(token, shown);
  out += R"({"token":)";
  append_json_string(shown, out);
  out += R"(,"logprob":)";
  append_json_logprob(logprob, out);
  out += R"(,"bytes":[)";
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (i > 0) out += ',';
    append_json_integer(static_cast<unsigned char>(token[i]), out);
  }
  out += ']';
}

std::string legacy_token(const std::string& token) {
  if (is_valid_utf8(token)) return token;
  std::string out = "bytes:";
  for (const char c : token) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
  }
  return out;
}

std::int64_t count_characters(const std::string& text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

template <typename AppendOne>
void append_list(std::span<const TokenLogprobText> tokens, std::string& out, AppendOne append_one) {
  out += '[';
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0) out += ',';
    append_one(tokens[i]);
  }
  out += ']';
}

// Two tokens may look alike as text; a JSON object keeps the likelier, which comes first.
void append_legacy_top(const TokenLogprobText& token, std::string& out) {
  std::set<std::string> seen;
  out += '{';
  for (const auto& [text, logprob] : token.top) {
    std::string shown = legacy_token(text);
    if (seen.contains(shown)) continue;
    if (!seen.empty()) out += ',';
    append_json_string(shown, out);
    out += ':';
    append_json_logprob(logprob, out);
    seen.insert(std::move(shown));
  }
  out += '}';
}

}  // namespace

void append_chat_logprobs(std::span<const TokenLogprobText> tokens, std::string& out) {
  out += R"({"content":)";
  append_list(tokens, out, [&](const TokenLogprobText& token) {
    append_chat_token(token.token, token.logprob, out);
    out += R"(,"top_logprobs":[)";
    for (std::size_t i = 0; i < token.top.size(); ++i) {
      if (i > 0) out += ',';
      append_chat_token(token.top[i].first, token.top[i].second, out);
      out += '}';
    }
    out += "]}";
  });
  out += R"(,"refusal":null})";
}

void append_legacy_logprobs(std::span<const TokenLogprobText> tokens, std::int64_t& text_offset,
                            std::string& out) {
  out += R"({"tokens":)";
  append_list(tokens, out, [&](const TokenLogprobText& token) {
    append_json_string(legacy_token(token.token), out);
  });
  out += R"(,"token_logprobs":)";
  append_list(tokens, out,
              [&](const TokenLogprobText& token) { append_json_logprob(token.logprob, out); });
  out += R"(,"top_logprobs":)";
  append_list(tokens, out, [&](const TokenLogprobText& token) { append_legacy_top(token, out); });
  out += R"(,"text_offset":)";
  append_list(tokens, out, [&](const TokenLogprobText& token) {
    append_json_integer(text_offset, out);
    text_offset += count_characters(token.token);
  });
  out += '}';
}

}  // namespace switchyard::api
