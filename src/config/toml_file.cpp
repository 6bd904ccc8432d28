#include "config/toml_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "config/help.h"
#include "config/value.h"

namespace switchyard::config {
namespace {

constexpr std::size_t kMaxFileBytes = 1 << 20;

Result<std::string> read_file(const std::string& path) {
  const auto unreadable = [&](std::string_view reason) {
    return Error{ErrorCode::kIo,
                 fmt::format("config file {}: cannot be read: {}", printable(path), reason),
                 "config"};
  };
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable(std::generic_category().message(errno));
  std::string text(kMaxFileBytes + 1, '\0');
  errno = 0;
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (errno != 0 && file.gcount() == 0)) {
    return unreadable(std::generic_category().message(errno));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxFileBytes) return unreadable("larger than 1 MiB");
  return text;
}

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

Result<Value> list_value(const OptionSpec& option, const toml::array& array,
                         std::string_view place) {
  std::vector<std::string> items;
  for (const toml::node& node : array) {
    const auto item = node.value_exact<std::string>();
    if (!item) return bad_value(option, "an array of strings", type_name(node), place);
    items.push_back(*item);
  }
  return Value(std::move(items));
}

/// A key has its option's own TOML type: an integer may stand for a number, nothing else converts.
Result<Value> node_value(const OptionSpec& option, const toml::node& node, std::string_view place) {
  const auto text = node.value_exact<std::string>();
  if (option.type == Type::kList && node.is_array()) {
    return list_value(option, *node.as_array(), place);
  }
  if (option.type == Type::kString || option.type == Type::kList) {
    if (text) return parse_value(option, *text, place);
  } else if (option.type == Type::kBool) {
    if (const auto value = node.value_exact<bool>()) return Value(*value);
  } else if (const auto integer = node.value_exact<std::int64_t>()) {
    return parse_value(option, std::to_string(*integer), place);
  } else if (const auto number = node.value_exact<double>()) {
    return parse_value(option, fmt::format("{}", *number), place);
  }
  return bad_value(option, expected_text(option), text ? *text : std::string(type_name(node)),
                   place);
}

}  // namespace

Result<std::vector<std::pair<const OptionSpec*, Value>>> read_toml_file(
    const std::string& path, const CommandSpec& command) {
  const auto text = read_file(path);
  if (!text) return text.error();
  toml::table table;
  try {
    table = toml::parse(*text);
  } catch (const toml::parse_error& error) {
    return Error{ErrorCode::kUsage,
                 fmt::format("config file {}:{}: {}", printable(path), error.source().begin.line,
                             printable(error.description())),
                 "config"};
  }
  std::vector<std::pair<const OptionSpec*, Value>> values;
  for (const auto& [key, node] : table) {
    const std::string place =
        fmt::format("config file {}:{}", printable(path), node.source().begin.line);
    const OptionSpec* option = find_option(command, key.str());
    if (option == nullptr) {
      return Error{ErrorCode::kUsage,
                   fmt::format("{}: unknown key '{}'{}", place, printable(key.str()),
                               did_you_mean(command, key.str())),
                   "config"};
    }
    auto value = node_value(*option, node, place);
    if (!value) return value.error();
    values.emplace_back(option, std::move(*value));
  }
  return values;
}

}  // namespace switchyard::config
