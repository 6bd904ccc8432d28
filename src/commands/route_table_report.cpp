#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/route_table.h"

namespace switchyard::commands {
namespace {

using Json = nlohmann::ordered_json;
using router::DecisionTable;

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr int kRowLabel = 18;

/// Modes without regard to prefix reuse, which a row shows by itself, in order of appearance.
class Legend {
 public:
  char letter(router::Mode mode) {
    mode.prefix = false;
    auto found = std::find(modes_.begin(), modes_.end(), mode);
    if (found == modes_.end()) found = modes_.insert(found, mode);
    return kLetters[static_cast<std::size_t>(found - modes_.begin())];
  }

  std::string text(const DecisionTable& table) const {
    std::vector<std::string> names;
    names.reserve(modes_.size());
    for (std::size_t i = 0; i < modes_.size(); ++i) {
      names.push_back(fmt::format("{} = {}", kLetters[i], table.name_of(modes_[i])));
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

 private:
  std::vector<router::Mode> modes_;
};

bool same_row(const TableCell& a, const TableCell& b) {
  return a.prompt_tokens == b.prompt_tokens && a.shared_tokens == b.shared_tokens;
}

std::string row_label(const TableCell& cell) {
  return cell.shared_tokens == 0
             ? fmt::format("{}", cell.prompt_tokens)
             : fmt::format("{} ({} shared)", cell.prompt_tokens, cell.shared_tokens);
}

/// The heads of the columns, from the cells of the first row.
std::string header(const std::vector<TableCell>& cells) {
  std::string loads = fmt::format("{:<{}}", "  running", kRowLabel);
  std::string outputs = fmt::format("{:<{}}", "  prompt / output", kRowLabel);
  for (std::size_t i = 0; i < cells.size() && same_row(cells[i], cells[0]); ++i) {
    const bool first = i == 0 || cells[i].running != cells[i - 1].running;
    loads +=
        fmt::format("{}{:>6}", first ? " |" : "", first ? fmt::format("{}", cells[i].running) : "");
    outputs += fmt::format("{}{:>6}", first ? " |" : "", cells[i].output_tokens);
  }
  return loads + "\n" + outputs + "\n";
}

std::string rows(const std::vector<TableCell>& cells, Legend& legend) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool new_row = i == 0 || !same_row(cells[i], cells[i - 1]);
    if (new_row) {
      text += fmt::format("{}  {:<{}}", i == 0 ? "" : "\n", row_label(cells[i]), kRowLabel - 2);
    }
    const bool first = new_row || cells[i].running != cells[i - 1].running;
    text += fmt::format("{}{:>6}", first ? " |" : "", legend.letter(cells[i].mode));
  }
  return text + "\n";
}

}  // namespace

std::string table_text(const DecisionTable& table, const std::vector<TableSection>& sections) {
  Legend legend;
  std::string body;
  for (const TableSection& section : sections) {
    body += fmt::format(
        "\n{}{}\n", fmt::join(section.who, "; "),
        section.copy_ratio > 0
            ? fmt::format(" – {:.0f} % of the output repeats the prompt", section.copy_ratio * 100)
            : "");
    body += header(section.cells) + rows(section.cells, legend);
  }
  return fmt::format(
             "{}\nrunning: sequences on {} at 512 tokens of context; the table has {} "
             "bytes. A shared prefix is reused where it is shorter to restore.\n",
             legend.text(table), table.weights().front(), table.bytes()) +
         body;
}

std::string table_json(const DecisionTable& table, const std::vector<TableSection>& sections) {
  Json list = Json::array();
  for (const TableSection& section : sections) {
    Json cells = Json::array();
    for (const TableCell& cell : section.cells) {
      cells.push_back({{"prompt_tokens", cell.prompt_tokens},
                       {"shared_tokens", cell.shared_tokens},
                       {"output_tokens", cell.output_tokens},
                       {"running", cell.running},
                       {"mode", table.name_of(cell.mode)},
                       {"rule", cell.rule}});
    }
    list.push_back(
        {{"for", section.who}, {"copy_ratio", section.copy_ratio}, {"cells", std::move(cells)}});
  }
  const Json document = {{"schema", "switchyard.route_table.v1"},
                         {"bytes", table.bytes()},
                         {"sections", std::move(list)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace switchyard::commands
