#include "base/utf8.h"

#include <algorithm>

namespace switchyard {
namespace {

struct Sequence {
  std::size_t length;  // bytes that belong together
  bool complete;       // a whole character
  bool valid;          // complete, or a proper prefix of a character
};

// What starts at text[0]; text is not empty. Ranges: Unicode 15 table 3-7.
Sequence scan(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, true, true};
  std::size_t need = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    need = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    need = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    need = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return {1, false, false};
  }
  std::size_t have = 1;
  while (have < need && have < text.size()) {
    if (byte(have) < low || byte(have) > high) return {have, false, false};
    low = 0x80;
    high = 0xBF;
    ++have;
  }
  return {have, have == need, true};
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const Sequence s = scan(text);
    if (!s.complete) return false;
    text.remove_prefix(s.length);
  }
  return true;
}

std::size_t unfinished_utf8_suffix(std::string_view text) {
  const std::size_t longest = std::min<std::size_t>(3, text.size());
  for (std::size_t n = longest; n > 0; --n) {
    const std::string_view tail = text.substr(text.size() - n);
    const Sequence s = scan(tail);
    if (s.valid && !s.complete && s.length == n) return n;
  }
  return 0;
}

void append_valid_utf8(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const Sequence s = scan(text);
    if (s.complete) {
      out.append(text.substr(0, s.length));
    } else {
      out.append("\xEF\xBF\xBD");
    }
    text.remove_prefix(s.length);
  }
}

}  // namespace switchyard
