#include "config/value.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/utf8.h"

namespace switchyard::config {
namespace {

template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool in_range(const OptionSpec& option, double value) {
  return std::isfinite(value) && value >= option.min && value <= option.max;
}

std::optional<bool> parse_bool(std::string_view text) {
  if (text == "true" || text == "1" || text == "on" || text == "yes") return true;
  if (text == "false" || text == "0" || text == "off" || text == "no") return false;
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (const auto part = trimmed(text.substr(0, end)); !part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool is_choice(const OptionSpec& option, std::string_view text) {
  if (option.choices.empty()) return true;
  for (const std::string& choice : split(option.choices, '|')) {
    if (choice == text) return true;
  }
  return false;
}

std::string number_range(const OptionSpec& option, std::string_view kind) {
  const bool has_min = option.min != OptionSpec{}.min;
  const bool has_max = option.max != OptionSpec{}.max;
  if (has_min && has_max)
    return fmt::format("{} from {:.15g} to {:.15g}", kind, option.min, option.max);
  if (has_min) return fmt::format("{} of at least {:.15g}", kind, option.min);
  if (has_max) return fmt::format("{} of at most {:.15g}", kind, option.max);
  return std::string(kind);
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

struct TomlWriter {
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::vector<std::string>& values) const {
    std::string out = "[";
    for (const std::string& value : values) out += (out.size() > 1 ? ", " : "") + quoted(value);
    return out + "]";
  }
};

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::size_t kMaxBytes = 80;
  std::string out;
  append_valid_utf8(text.substr(0, kMaxBytes), out);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text.size() > kMaxBytes ? out + "…" : out;
}

std::string expected_text(const OptionSpec& option) {
  switch (option.type) {
    case Type::kInt:
      return number_range(option, "an integer");
    case Type::kDouble:
      return number_range(option, "a number");
    case Type::kBool:
      return "true or false";
    case Type::kList:
      return "a list of names joined by commas";
    case Type::kString:
      break;
  }
  if (option.choices.empty()) return "a string";
  return fmt::format("one of {}", fmt::join(split(option.choices, '|'), ", "));
}

Error bad_value(const OptionSpec& option, std::string_view expected, std::string_view value,
                std::string_view place) {
  return {
      ErrorCode::kUsage,
      fmt::format("{}: {}: expected {}, got '{}'", place, option.name, expected, printable(value)),
      std::string(option.name)};
}

Result<Value> parse_value(const OptionSpec& option, std::string_view text, std::string_view place) {
  switch (option.type) {
    case Type::kInt:
      if (const auto value = parse_number<std::int64_t>(text);
          value && in_range(option, static_cast<double>(*value))) {
        return Value(*value);
      }
      break;
    case Type::kDouble:
      if (const auto value = parse_number<double>(text); value && in_range(option, *value)) {
        return Value(*value);
      }
      break;
    case Type::kBool:
      if (const auto value = parse_bool(text)) return Value(*value);
      break;
    case Type::kList:
      return Value(split(text, ','));
    case Type::kString:
      if (is_choice(option, text)) return Value(std::string(text));
      break;
  }
  return bad_value(option, expected_text(option), text, place);
}

std::string to_toml(const Value& value) { return std::visit(TomlWriter{}, value); }

}  // namespace switchyard::config
