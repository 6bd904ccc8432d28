#include "engine/llama/token_draw.h"

#include <algorithm>
#include <cmath>

#include "engine/llama/argmax.h"
#include "engine/llama/softmax.h"

namespace switchyard::engine {
namespace {

constexpr std::size_t kBlock = 1024;

std::span<const float> block_of(std::span<const float> logits, std::size_t block) {
  const std::size_t begin = block * kBlock;
  return logits.subspan(begin, std::min(kBlock, logits.size() - begin));
}

/// The first index at which the running sum passes `target`; if rounding keeps it below, the last
/// one that adds anything. What is left of the target goes back to `target`.
template <typename Number>
std::size_t pass(std::span<const Number> addends, double& target) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < addends.size(); ++i) {
    if (!(addends[i] > 0)) continue;
    last = i;
    if (addends[i] > target) return i;
    target -= addends[i];
  }
  return last;
}

/// Index of the logit at `uniform` on the softmax of logits · scale: the block first, by the sums
/// of the weights, so that no more than one block of them is stored.
std::size_t draw_index(std::span<const float> logits, float largest, float scale, double uniform,
                       CandidateBuffer& buffer) {
  const std::size_t blocks = (logits.size() + kBlock - 1) / kBlock;
  buffer.block_sums.resize(blocks);
  buffer.weights.resize(kBlock);
  double total = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    buffer.block_sums[block] = exp_sum(block_of(logits, block), largest, scale);
    total += buffer.block_sums[block];
  }
  double target = uniform * total;
  const std::size_t block = pass(std::span<const double>(buffer.block_sums), target);
  const auto members = block_of(logits, block);
  const std::span<float> weights(buffer.weights.data(), members.size());
  exp_weights(members, largest, scale, weights);
  return block * kBlock + pass(std::span<const float>(weights), target);
}

}  // namespace

core::TokenId draw_token(std::span<const float> logits, const core::SamplingParams& sampling,
                         double uniform, CandidateBuffer& buffer) {
  const float largest = max_value(logits);
  if (!std::isfinite(largest)) return static_cast<core::TokenId>(argmax(logits));
  const float scale = 1 / sampling.temperature;
  if (!Shortlist::cuts(sampling)) {
    return static_cast<core::TokenId>(draw_index(logits, largest, scale, uniform, buffer));
  }
  buffer.shortlist.fill(logits, largest, sampling);
  const Shortlist& left = buffer.shortlist;
  return left.tokens()[draw_index(left.logits(), largest, scale, uniform, buffer)];
}

}  // namespace switchyard::engine
