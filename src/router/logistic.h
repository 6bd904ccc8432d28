#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace switchyard::router {

/// Multinomial logistic regression, small and deterministic: inputs of about unit size, the last
/// one of the caller's constant 1.
class Logistic {
 public:
  Logistic(std::size_t n_inputs, std::size_t n_labels)
      : n_inputs_(n_inputs), weights_(n_inputs * n_labels) {}

  std::size_t n_labels() const { return weights_.size() / n_inputs_; }
  /// Logit of a label. Precondition: inputs.size() is n_inputs.
  float score(std::size_t label, std::span<const float> inputs) const;

 private:
  friend Logistic train_logistic(std::span<const float>, std::span<const std::uint8_t>, std::size_t,
                                 const struct LogisticOptions&);
  std::size_t n_inputs_;
  std::vector<float> weights_;  ///< [label][input]
};

struct LogisticOptions {
  std::int32_t epochs = 60;
  float rate = 0.2F;    ///< of the first epoch; falls with the root of the epoch
  float decay = 1e-5F;  ///< of the weights, per example
};

/// Stochastic gradient descent in the order of the examples; the same arguments give the same
/// weights. `inputs` holds n_inputs for each label of `labels`, which are below n_labels.
Logistic train_logistic(std::span<const float> inputs, std::span<const std::uint8_t> labels,
                        std::size_t n_labels, const LogisticOptions& options = {});

}  // namespace switchyard::router
