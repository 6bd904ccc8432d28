#include "engine/llama/shortlist.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/llama/argmax.h"
#include "engine/llama/softmax.h"

namespace switchyard::engine {
namespace {

constexpr float kLowest = std::numeric_limits<float>::lowest();
constexpr std::size_t kLanes = 16;
constexpr std::size_t kBlock = 64;
/// Bins of a 128th logit down to 32 logits below the largest, and one for the rest: where a cut
/// goes through the rest it is slow, but a token there has a share of at most e^−32.
constexpr std::int32_t kBins = 4096;
constexpr float kBinsPerLogit = 128;
/// Keeps rounding from making a floor exclude what it must not; in logits.
constexpr float kMargin = 0.01F;

/// All that is left out below it weighs less than the (1 − top_p) · total that top-p may leave out.
float floor_of_top_p(std::size_t vocabulary, float largest, double top_p, double total) {
  const double below = std::log(static_cast<double>(vocabulary) / ((1 - top_p) * total));
  return largest - static_cast<float>(below) - kMargin;
}

}  // namespace

bool Shortlist::cuts(const core::SamplingParams& sampling) {
  return sampling.top_k > 0 || sampling.top_p < 1 || sampling.min_p > 0;
}

void Shortlist::fill(std::span<const float> logits, float largest,
                     const core::SamplingParams& sampling) {
  reserve(logits.size());
  const double top_p = sampling.top_p;
  const float min_p_floor = sampling.min_p > 0 ? largest + std::log(sampling.min_p) : kLowest;
  if (sampling.top_k > 0) {
    gather(logits, floor_of_top_k(logits, sampling.top_k));
    std::fill_n(weights_.begin(), size_, 1.0F);
    keep_heaviest(largest, sampling.top_k);
    if (top_p < 1) keep_top_p(largest, top_p * exp_sum(this->logits(), largest, 1));
    if (sampling.min_p > 0) keep_from(min_p_floor);
  } else if (top_p < 1) {
    const double total = exp_sum(logits, largest, 1);
    gather(logits, std::max(min_p_floor, floor_of_top_p(logits.size(), largest, top_p, total)));
    keep_top_p(largest, top_p * total);
  } else {
    gather(logits, min_p_floor);
  }
}

void Shortlist::reserve(std::size_t vocabulary) {
  // One more, since a member is written before it is known whether it stays.
  if (tokens_.size() > vocabulary) return;
  tokens_.resize(vocabulary + 1);
  logits_.resize(vocabulary + 1);
  weights_.resize(vocabulary + 1);
  bins_.resize(vocabulary + 1);
  boundary_.reserve(vocabulary);
  bin_weights_.resize(kBins);
  block_maxima_.reserve(vocabulary / kBlock + 1);
}

/// At least top_k logits are not below it, and with a small top_k not many more: as many blocks
/// have a largest logit that is not.
float Shortlist::floor_of_top_k(std::span<const float> logits, std::int32_t top_k) {
  const auto count = static_cast<std::size_t>(top_k);
  block_maxima_.clear();
  if (count > logits.size() / kBlock) return kLowest;
  for (std::size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const std::size_t size = std::min(kBlock, logits.size() - begin);
    block_maxima_.push_back(max_value(logits.subspan(begin, size)));
  }
  const auto last = block_maxima_.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(block_maxima_.begin(), last, block_maxima_.end(), std::greater<>());
  return *last;
}

void Shortlist::gather(std::span<const float> logits, float floor) {
  floor = std::max(floor, kLowest);
  size_ = 0;
  const auto take = [&](std::size_t i) {
    tokens_[size_] = static_cast<core::TokenId>(i);
    logits_[size_] = logits[i];
    size_ += logits[i] >= floor ? 1 : 0;  // no branch: it would be mispredicted too often
  };
  std::size_t i = 0;
  for (; i + kLanes <= logits.size(); i += kLanes) {
    std::int32_t hits = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) hits += logits[i + lane] >= floor ? 1 : 0;
    if (hits == 0) continue;
    for (std::size_t lane = 0; lane < kLanes; ++lane) take(i + lane);
  }
  for (; i < logits.size(); ++i) take(i);
}

void Shortlist::keep_top_p(float largest, double target) {
  exp_weights(logits(), largest, 1, {weights_.data(), size_});
  keep_heaviest(largest, target);
}

void Shortlist::keep_from(float floor) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    tokens_[kept] = tokens_[i];
    logits_[kept] = logits_[i];
    kept += logits_[i] >= floor ? 1 : 0;
  }
  size_ = kept;
}

/// Cuts the list to the fewest members that weigh `target` together, by a histogram of the weights
/// over the logits instead of a sort: only the bin that the cut goes through is sorted.
void Shortlist::keep_heaviest(float largest, double target) {
  for (std::size_t i = 0; i < size_; ++i) {
    const float below = (largest - logits_[i]) * kBinsPerLogit;
    bins_[i] = static_cast<std::int32_t>(below < kBins - 1 ? below : kBins - 1);
  }
  std::fill(bin_weights_.begin(), bin_weights_.end(), 0.0);
  for (std::size_t i = 0; i < size_; ++i) bin_weights_[bins_[i]] += weights_[i];

  double kept = 0;
  std::int32_t bin = 0;
  while (bin + 1 < kBins && kept + bin_weights_[bin] < target) kept += bin_weights_[bin++];
  split_at(bin);
  std::sort(boundary_.begin(), boundary_.end(), [](const Member& a, const Member& b) {
    return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
  });
  for (const Member& member : boundary_) {
    tokens_[size_] = member.token;
    logits_[size_++] = member.logit;
    kept += member.weight;
    if (kept >= target) return;
  }
}

/// Leaves the members of the bins before `bin` and puts those in it into boundary_.
void Shortlist::split_at(std::int32_t bin) {
  std::size_t kept = 0;
  boundary_.clear();
  for (std::size_t i = 0; i < size_; ++i) {
    if (bins_[i] == bin) boundary_.push_back({tokens_[i], logits_[i], weights_[i]});
    tokens_[kept] = tokens_[i];
    logits_[kept] = logits_[i];
    kept += bins_[i] < bin ? 1 : 0;
  }
  size_ = kept;
}

}  // namespace switchyard::engine
