#include "config/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "config/value.h"

namespace switchyard::config {
namespace {

constexpr std::size_t kMaxNameBytes = 64;

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + end > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string notes(const OptionSpec& option) {
  std::string out(option.help);
  const bool ranged = option.min != OptionSpec{}.min || option.max != OptionSpec{}.max;
  if (ranged || !option.choices.empty()) out += fmt::format(" [{}]", expected_text(option));
  if (!option.default_value.empty()) out += fmt::format(" (default {})", option.default_value);
  return out;
}

std::string option_line(std::string_view name, std::string_view value_name, std::string_view text) {
  constexpr std::size_t kColumn = 34;
  constexpr std::size_t kWidth = 100;
  const std::string flag =
      value_name.empty() ? fmt::format("  --{}", name) : fmt::format("  --{} {}", name, value_name);
  return fmt::format("{:<{}}{}\n", flag, kColumn, wrapped(text, kColumn, kWidth));
}

}  // namespace

const OptionSpec* find_option(const CommandSpec& command, std::string_view name) {
  for (const OptionSpec& option : command.options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

std::string did_you_mean(const CommandSpec& command, std::string_view name) {
  if (name.size() > kMaxNameBytes) return "";
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const OptionSpec& option : command.options) {
    const std::size_t distance = edit_distance(name, option.name);
    if (distance < best_distance) {
      best = option.name;
      best_distance = distance;
    }
  }
  return best.empty() ? "" : fmt::format("; did you mean '{}'?", best);
}

std::string environment_name(std::string_view option) {
  std::string out = "SWITCHYARD_";
  for (const char c : option) {
    out += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return out;
}

std::string help_text(const CommandSpec& command) {
  std::string out = fmt::format("{}\n\nUsage: switchyard {} [options]\n\nOptions:\n",
                                command.summary, command.name);
  for (const OptionSpec& option : command.options) {
    const bool flag = option.type == Type::kBool;
    out += option_line(option.name, flag ? "" : option.value_name, notes(option));
  }
  out += option_line("config", "FILE", "TOML file with these options as keys (port = 8080)");
  out += option_line("print-config", "", "print every option's value and where it comes from");
  out += option_line("help", "", "print this text");
  out +=
      "\nAn option comes from the command line, else the environment (SWITCHYARD_PORT for "
      "--port),\n"
      "else the config file, else its default.\n\nExamples:\n";
  std::string_view examples = command.examples;
  while (!examples.empty()) {
    const std::size_t end = std::min(examples.find('\n'), examples.size());
    out += fmt::format("  {}\n", examples.substr(0, end));
    examples.remove_prefix(std::min(end + 1, examples.size()));
  }
  return out;
}

}  // namespace switchyard::config
