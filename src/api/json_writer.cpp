#include "api/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace switchyard::api {
namespace {

constexpr float kImpossible = -9999.0F;

bool needs_escape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

void append_escape(unsigned char c, std::string& out) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
  }
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  std::size_t plain = 0;  // start of the run that needs no escape
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (!needs_escape(c)) continue;
    out.append(text, plain, i - plain);
    append_escape(c, out);
    plain = i + 1;
  }
  out.append(text, plain);
  out += '"';
}

void append_json_integer(std::int64_t value, std::string& out) {
  const fmt::format_int text(value);
  out.append(text.data(), text.size());
}

void append_json_logprob(float value, std::string& out) {
  // Also true for NaN, which no JSON may carry.
  if (!(value > kImpossible)) value = kImpossible;
  if (value > 0) value = 0;  // rounding of a certain token
  fmt::format_to(std::back_inserter(out), "{}", value);
}

}  // namespace switchyard::api
