#include "router/logistic.h"

#include <algorithm>
#include <cmath>

namespace switchyard::router {

float Logistic::score(std::size_t label, std::span<const float> inputs) const {
  const float* weights = &weights_[label * n_inputs_];
  float sum = 0;
  for (std::size_t i = 0; i < n_inputs_; ++i) sum += weights[i] * inputs[i];
  return sum;
}

Logistic train_logistic(std::span<const float> inputs, std::span<const std::uint8_t> labels,
                        std::size_t n_labels, const LogisticOptions& options) {
  const std::size_t n_inputs = labels.empty() ? 1 : inputs.size() / labels.size();
  Logistic model(n_inputs, n_labels);
  std::vector<float> probability(n_labels);
  for (std::int32_t epoch = 1; epoch <= options.epochs; ++epoch) {
    const float rate = options.rate / std::sqrt(static_cast<float>(epoch));
    for (std::size_t example = 0; example < labels.size(); ++example) {
      const auto row = inputs.subspan(example * n_inputs, n_inputs);
      for (std::size_t k = 0; k < n_labels; ++k) probability[k] = model.score(k, row);
      const float top = *std::max_element(probability.begin(), probability.end());
      float sum = 0;
      for (float& p : probability) sum += p = std::exp(p - top);
      for (std::size_t k = 0; k < n_labels; ++k) {
        const float error = probability[k] / sum - (k == labels[example] ? 1.0F : 0.0F);
        float* weights = &model.weights_[k * n_inputs];
        for (std::size_t i = 0; i < n_inputs; ++i) {
          weights[i] -= rate * (error * row[i] + options.decay * weights[i]);
        }
      }
    }
  }
  return model;
}

}  // namespace switchyard::router
