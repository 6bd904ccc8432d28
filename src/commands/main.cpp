#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.h"

namespace {

using switchyard::commands::run_bench_router;
using switchyard::commands::run_bench_serve;
using switchyard::commands::run_calibrate;
using switchyard::commands::run_prepare;
using switchyard::commands::run_route;
using switchyard::commands::run_serve;

struct Command {
  std::string_view name;  ///< as typed, words separated by one space
  std::string_view summary;
  int (*run)(const std::vector<std::string>& arguments);
};

constexpr std::array kCommands{
    Command{"serve", "serve a model over an OpenAI-compatible HTTP API", run_serve},
    Command{"prepare", "derive and cache the weights that modes need", run_prepare},
    Command{"calibrate", "measure what each mode costs on this machine", run_calibrate},
    Command{"route", "explain in which mode a request would be served", run_route},
    Command{"bench router", "time routing decisions", run_bench_router},
    Command{"bench serve", "load any OpenAI-compatible server and measure it", run_bench_serve},
};

std::string usage() {
  std::string text = "usage: switchyard COMMAND [OPTIONS]\n\n";
  for (const Command& command : kCommands) {
    text += fmt::format("  {:<12} {}\n", command.name, command.summary);
  }
  return text + "\nswitchyard COMMAND --help lists a command's options with examples.\n";
}

/// Number of leading words that are the command's name; 0 if they are not.
std::size_t match(const Command& command, const std::vector<std::string>& words) {
  std::string typed;
  for (std::size_t n = 0; n < words.size(); ++n) {
    if (n > 0) typed += ' ';
    typed += words[n];
    if (typed == command.name) return n + 1;
  }
  return 0;
}

int run(const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    std::fputs(usage().c_str(), words.empty() ? stderr : stdout);
    return words.empty() ? 2 : 0;
  }
  if (words[0] == "--version") {
    std::puts("switchyard " SWITCHYARD_VERSION);
    return 0;
  }
  for (const Command& command : kCommands) {
    if (const std::size_t n = match(command, words); n > 0) {
      return command.run({words.begin() + static_cast<std::ptrdiff_t>(n), words.end()});
    }
  }
  std::fputs(("switchyard: unknown command\n\n" + usage()).c_str(), stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& exception) {
    fmt::print(stderr, "switchyard: {}\n", exception.what());
    return 1;
  }
}
