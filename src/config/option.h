#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace switchyard::config {

enum class Type {
  kString,
  kInt,
  kDouble,
  kBool,
  kList,  ///< of strings; comma-separated outside a config file
};

using Value = std::variant<std::string, std::int64_t, double, bool, std::vector<std::string>>;

/// One option of a command, declared once: the flag is --NAME, the environment variable
/// SWITCHYARD_NAME (upper case, '-' as '_'), the config key NAME. Help, --print-config and error
/// texts come from here.
struct OptionSpec {
  std::string_view name;  ///< lower case, words joined by '-'
  Type type = Type::kString;
  std::string_view default_value;  ///< as on the command line
  std::string_view value_name;     ///< placeholder in the help text, e.g. "FILE"
  std::string_view help;           ///< one or two sentences; the default is added
  double min = std::numeric_limits<double>::lowest();  ///< numbers: allowed range, ends included
  double max = std::numeric_limits<double>::max();
  std::string_view choices = "";  ///< kString: allowed values joined by '|'; empty = any
};

/// A command's options. Every command also has --config, --print-config and --help.
struct CommandSpec {
  std::string_view name;      ///< as typed: "serve", "bench serve"
  std::string_view summary;   ///< one sentence
  std::string_view examples;  ///< command lines, one per line
  std::span<const OptionSpec> options;
};

}  // namespace switchyard::config
