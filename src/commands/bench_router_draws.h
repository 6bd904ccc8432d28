#pragma once

#include <cstdint>
#include <vector>

#include "router/decision_table.h"
#include "router/learned_policy.h"

namespace switchyard::commands {

/// A request and the load it meets.
struct RouterDraw {
  router::Features features;
  router::LoadSnapshot load;
};

/// Requests and loads of all kinds, the same for the same seed: lengths log-uniform (prompts 16 to
/// 4,096, outputs 4 to 1,024 tokens), all classes and demands, a quarter with a shared prefix, up
/// to `streams` running on each lane, a third of them on an idle machine.
std::vector<RouterDraw> draw_requests(std::uint64_t seed, std::size_t count,
                                      const router::DecisionTable& table);

/// The draws labelled with the cheapest mode by the calibrated costs: what `learned` is trained on
/// where nothing was run.
std::vector<router::LabelledRequest> label_by_cost(const std::vector<RouterDraw>& draws,
                                                   const router::DecisionTable& table);

}  // namespace switchyard::commands
