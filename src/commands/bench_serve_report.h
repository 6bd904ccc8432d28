#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/load_summary.h"
#include "commands/bench_serve_plan.h"
#include "config/settings.h"

namespace switchyard::commands {

struct BenchTarget {
  std::string url;
  std::string model = {};
  std::vector<client::LoadSummary> rounds = {};
};

/// Ratio first target / second target of one figure, round by round.
struct RatioSpread {
  std::string_view figure;
  double median = 0;
  double min = 0;
  double max = 0;
  std::vector<double> rounds = {};
};

/// Figures that both targets have above 0 in at least one round.
std::vector<RatioSpread> ratios_of(const BenchTarget& first, const BenchTarget& second);

struct BenchServeReport {
  const config::Settings& settings;
  const BenchServePlan& plan;
  const std::vector<BenchTarget>& targets;  ///< one or two
  bool partial = false;
};

/// The table for people.
std::string render_table(const BenchServeReport& report);

/// Schema: docs/bench_serve.md.
std::string render_json(const BenchServeReport& report);

}  // namespace switchyard::commands
