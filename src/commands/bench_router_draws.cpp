#include "commands/bench_router_draws.h"

#include <cmath>
#include <cstddef>

#include "router/rules_policy.h"
#include "workload/random.h"

namespace switchyard::commands {
namespace {

using workload::Random;

std::int32_t log_uniform(Random& random, double from, double to) {
  const double share = static_cast<double>(random.below(1 << 20)) / (1 << 20);
  return static_cast<std::int32_t>(from * std::pow(to / from, share));
}

router::Features draw_features(Random& random) {
  router::Features features;
  features.prompt_tokens = log_uniform(random, 16, 4096);
  const double p50 = log_uniform(random, 4, 1024);
  features.output = router::lengths_from_quantiles(p50, 2.5 * p50, 2048);
  features.request_class = static_cast<router::RequestClass>(random.below(router::kRequestClasses));
  features.demand = static_cast<router::Demand>(random.below(router::kDemands));
  features.copy_ratio = random.below(4) == 0 ? 0.8F : static_cast<float>(random.below(30)) / 100;
  features.greedy = random.below(2) == 0;
  if (random.below(4) == 0) {
    for (std::int32_t& shared : features.shared_prefix_tokens) {
      shared = static_cast<std::int32_t>(
          random.below(static_cast<std::uint64_t>(features.prompt_tokens)));
    }
  }
  return features;
}

router::LoadSnapshot draw_load(Random& random, const router::DecisionTable& table) {
  router::LoadSnapshot load;
  if (random.below(3) == 0) return load;
  for (std::size_t i = 0; i < table.weights().size(); ++i) {
    router::LaneLoad& lane = load.lanes[i];
    const auto streams = static_cast<std::uint64_t>(table.setup().lanes[i].streams);
    lane.running = static_cast<std::int32_t>(random.below(streams + 1));
    lane.waiting = random.below(8) == 0 ? static_cast<std::int32_t>(random.below(8)) : 0;
    lane.mean_context_tokens = static_cast<float>(log_uniform(random, 64, 2048));
  }
  return load;
}

}  // namespace

std::vector<RouterDraw> draw_requests(std::uint64_t seed, std::size_t count,
                                      const router::DecisionTable& table) {
  Random random(seed);
  std::vector<RouterDraw> draws;
  draws.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    router::Features features = draw_features(random);
    draws.push_back({features, draw_load(random, table)});
  }
  return draws;
}

std::vector<router::LabelledRequest> label_by_cost(const std::vector<RouterDraw>& draws,
                                                   const router::DecisionTable& table) {
  std::vector<router::LabelledRequest> examples;
  examples.reserve(draws.size());
  router::Assessment assessment;
  for (const RouterDraw& draw : draws) {
    table.assess(draw.features, draw.load, assessment);
    examples.push_back({draw.features, draw.load, router::choose_cheapest(assessment, 0).mode});
  }
  return examples;
}

}  // namespace switchyard::commands
