#include "router/learned_policy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace switchyard::router {
namespace {

constexpr float kLogScale = 1.0F / 12;  ///< 4,096 tokens → 1

float scaled_log(float value) { return std::log2(1 + std::max(0.0F, value)) * kLogScale; }

/// Modes that differ in prefix reuse only are one label: a prefix that is there is reused.
std::size_t label_of(const Mode& mode) {
  return mode.lane * 3U + static_cast<std::size_t>(mode.speculation);
}

Logistic train(std::span<const LabelledRequest> examples, std::size_t n_labels) {
  std::vector<float> inputs;
  std::vector<std::uint8_t> labels;
  for (const LabelledRequest& example : examples) {
    const auto row = learned_inputs(example.features, example.load);
    inputs.insert(inputs.end(), row.begin(), row.end());
    labels.push_back(static_cast<std::uint8_t>(label_of(example.cheapest)));
  }
  return train_logistic(inputs, labels, n_labels);
}

}  // namespace

std::array<float, kLearnedInputs> learned_inputs(const Features& features,
                                                 const LoadSnapshot& load) {
  const auto prompt = static_cast<float>(features.prompt_tokens);
  const auto shared = static_cast<float>(*std::max_element(features.shared_prefix_tokens.begin(),
                                                           features.shared_prefix_tokens.end()));
  std::array<float, kLearnedInputs> inputs = {scaled_log(prompt),
                                              scaled_log(features.output.p50()),
                                              scaled_log(features.output.p90()),
                                              shared / std::max(1.0F, prompt),
                                              features.copy_ratio,
                                              features.greedy ? 1.0F : 0.0F};
  std::size_t next = 6;
  inputs[next + static_cast<std::size_t>(features.request_class)] = 1;
  next += kRequestClasses;
  for (const LaneLoad& lane : load.lanes) {
    inputs[next++] = scaled_log(static_cast<float>(lane.running + lane.waiting));
  }
  inputs[next] = 1;
  return inputs;
}

LearnedPolicy::LearnedPolicy(std::shared_ptr<const DecisionTable> table,
                             std::span<const LabelledRequest> examples)
    : table_(std::move(table)),
      model_(train(examples, std::min(kLabels, 3 * table_->setup().lanes.size()))) {}

Decision LearnedPolicy::decide(const Features& features, const LoadSnapshot& load) {
  const auto inputs = learned_inputs(features, load);
  std::optional<Mode> best;
  float best_score = 0;
  for (std::size_t label = 0; label < model_.n_labels(); ++label) {
    Mode mode{.lane = static_cast<std::uint8_t>(label / 3),
              .speculation = static_cast<Speculation>(label % 3)};
    if (!is_eligible(table_->verdict(mode.lane, features)) ||
        !table_->offers(mode.lane, mode.speculation)) {
      continue;
    }
    const float score = model_.score(label, inputs);
    if (best && score <= best_score) continue;
    mode.prefix = table_->setup().prefix_reuse && features.shared_prefix_tokens[mode.lane] > 0;
    best = mode;
    best_score = score;
  }
  return {best.value_or(Mode{}), Reason::kPredicted};
}

}  // namespace switchyard::router
