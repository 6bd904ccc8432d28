#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "router/decision_table.h"

namespace switchyard::commands {

/// A decision of `rules` for one typical situation.
struct TableCell {
  std::int32_t prompt_tokens = 0;
  std::int32_t shared_tokens = 0;
  std::int32_t output_tokens = 0;
  std::int32_t running = 0;  ///< on the reference lane
  router::Mode mode = {};
  std::string_view rule;
};

/// Demands and classes that are decided alike, as their verdicts are equal.
struct TableSection {
  std::vector<std::string> who;  ///< "balanced: chat, code"
  float copy_ratio = 0;
  std::vector<TableCell> cells;  ///< by prompt, then load, then output
};

std::vector<TableSection> table_sections(const router::DecisionTable& table);

/// For people: one letter a cell.
std::string table_text(const router::DecisionTable& table,
                       const std::vector<TableSection>& sections);

/// Schema switchyard.route_table.v1 (docs/route.md).
std::string table_json(const router::DecisionTable& table,
                       const std::vector<TableSection>& sections);

}  // namespace switchyard::commands
