#include "commands/route_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <vector>

#include "commands/route_setup.h"
#include "config/value.h"
#include "router/copy_ratio.h"

namespace switchyard::commands {
namespace {

using router::DecisionTable;
using router::LoadSnapshot;

constexpr std::size_t kBytesPerToken = 4;
constexpr std::int32_t kMostSequences = 1 << 20;

struct Usual {
  double p50;
  double p90;
};
/// In the order of RequestClass. Rough: a server predicts instead.
constexpr std::array<Usual, router::kRequestClasses> kUsual = {
    {{180, 500}, {6, 60}, {110, 260}, {220, 600}, {80, 250}, {50, 150}}};

/// Words and signs stand for tokens: their hashes repeat where tokens would.
std::vector<std::int32_t> pseudo_tokens(std::string_view text) {
  std::vector<std::int32_t> tokens;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] > ' ') continue;
    if (i > begin) {
      const std::size_t hash = std::hash<std::string_view>{}(text.substr(begin, i - begin));
      tokens.push_back(static_cast<std::int32_t>(hash));
    }
    begin = i + 1;
  }
  return tokens;
}

Result<std::string> read_text(const config::Settings& settings) {
  const std::string& file = settings.get_string("prompt-file");
  const bool in_line = !settings.is_default("prompt");
  if (in_line == !file.empty()) {
    return Error{ErrorCode::kUsage,
                 "expected either --prompt TEXT or --prompt-file FILE (or --table)", "prompt"};
  }
  return in_line ? Result<std::string>(settings.get_string("prompt")) : read_small_file(file);
}

std::optional<std::int32_t> read_count(std::string_view text) {
  std::int32_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole && value >= 0 && value <= kMostSequences ? std::optional(value) : std::nullopt;
}

Error bad_load(const DecisionTable& table) {
  return {ErrorCode::kUsage,
          fmt::format("--load: expected RUNNING,WAITING for {}, or MODE=RUNNING/WAITING with one "
                      "of {}",
                      table.weights().front(), fmt::join(table.weights(), ", ")),
          "load"};
}

/// "MODE=RUNNING/WAITING" or "MODE=RUNNING"; false for anything else.
bool read_lane_load(std::string_view item, const DecisionTable& table, LoadSnapshot& load) {
  const std::size_t equals = item.find('=');
  if (equals == std::string_view::npos) return false;
  const auto weights = table.weights();
  const auto lane = std::find(weights.begin(), weights.end(), item.substr(0, equals));
  if (lane == weights.end()) return false;
  const std::string_view counts = item.substr(equals + 1);
  const std::size_t slash = std::min(counts.find('/'), counts.size());
  const auto running = read_count(counts.substr(0, slash));
  const auto waiting = slash == counts.size() ? 0 : read_count(counts.substr(slash + 1));
  if (!running || !waiting) return false;
  auto& at = load.lanes[static_cast<std::size_t>(lane - weights.begin())];
  at.running = *running;
  at.waiting = *waiting;
  return true;
}

Result<LoadSnapshot> read_load(const config::Settings& settings, const DecisionTable& table) {
  const std::vector<std::string>& items = settings.get_list("load");
  LoadSnapshot load;
  for (auto& lane : load.lanes) {
    lane.mean_context_tokens = static_cast<float>(settings.get_int("context"));
  }
  if (items.empty()) return load;
  if (const auto running = read_count(items[0]); running && items.size() <= 2) {
    const auto waiting = items.size() < 2 ? 0 : read_count(items[1]);
    if (!waiting) return bad_load(table);
    load.lanes[0].running = *running;
    load.lanes[0].waiting = *waiting;
    return load;
  }
  for (const std::string& item : items) {
    if (!read_lane_load(item, table, load)) return bad_load(table);
  }
  return load;
}

router::Demand read_demand(const std::string& name) {
  const auto& names = router::kDemandNames;
  return static_cast<router::Demand>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

std::int32_t estimated_tokens(std::string_view text) {
  const std::size_t tokens = (text.size() + kBytesPerToken - 1) / kBytesPerToken;
  return static_cast<std::int32_t>(std::max<std::size_t>(1, tokens));
}

router::LengthDistribution assumed_output(router::RequestClass request_class,
                                          std::int32_t max_tokens) {
  const Usual& usual = kUsual[static_cast<std::size_t>(request_class)];
  return router::lengths_from_quantiles(usual.p50, usual.p90, max_tokens);
}

Result<RouteRequest> read_route_request(const config::Settings& settings,
                                        const DecisionTable& table) {
  const auto text = read_text(settings);
  if (!text) return text.error();
  auto load = read_load(settings, table);
  if (!load) return load.error();
  RouteRequest request;
  request.load = *load;
  request.characters = text->size();
  request.max_tokens = static_cast<std::int32_t>(settings.get_int("max-tokens"));
  const router::TextTraits traits = router::read_text(*text);
  request.asks_to_copy = traits.asks_to_copy;
  request.repeated = router::repeated_share(pseudo_tokens(*text));

  router::Features& features = request.features;
  features.prompt_tokens = estimated_tokens(*text);
  features.request_class = traits.request_class;
  features.demand = read_demand(settings.get_string("demand"));
  features.greedy = settings.get_double("temperature") <= 0;
  features.copy_ratio =
      static_cast<float>(router::copy_ratio(request.repeated, traits.asks_to_copy));
  const auto shared = static_cast<std::int32_t>(settings.get_int("shared-prefix"));
  features.shared_prefix_tokens.fill(std::min(shared, features.prompt_tokens));
  const auto expected = static_cast<std::int32_t>(settings.get_int("output-tokens"));
  request.output_assumed = expected == 0;
  features.output = expected == 0 ? assumed_output(features.request_class, request.max_tokens)
                                  : router::exact_length(std::min(expected, request.max_tokens));
  return request;
}

}  // namespace switchyard::commands
