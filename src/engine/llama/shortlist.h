#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/request.h"

namespace switchyard::engine {

/// The tokens of a row that top-k, top-p and min-p leave, in no particular order, and the memory to
/// find them in: one object serves any number of rows, one after another, and allocates only for
/// the first of a length.
class Shortlist {
 public:
  /// Whether these parameters can cut anything off.
  static bool cuts(const core::SamplingParams& sampling);

  /// Keeps, in this order: the top_k largest logits (0: all); of these the fewest whose share is at
  /// least top_p; of these the ones at least min_p times as likely as the likeliest. The likelier
  /// comes first, the lower token on ties; one token always stays, −∞ and NaN never do. Temperature
  /// plays no part. `largest` is the largest logit and finite.
  void fill(std::span<const float> logits, float largest, const core::SamplingParams& sampling);

  std::span<const core::TokenId> tokens() const { return {tokens_.data(), size_}; }
  std::span<const float> logits() const { return {logits_.data(), size_}; }  ///< of tokens()

 private:
  struct Member {
    core::TokenId token;
    float logit;
    float weight;
  };

  void reserve(std::size_t vocabulary);
  float floor_of_top_k(std::span<const float> logits, std::int32_t top_k);
  void gather(std::span<const float> logits, float floor);
  void keep_top_p(float largest, double target);
  void keep_from(float floor);
  void keep_heaviest(float largest, double target);
  void split_at(std::int32_t bin);

  std::size_t size_ = 0;
  std::vector<core::TokenId> tokens_;
  std::vector<float> logits_;
  std::vector<float> weights_;
  std::vector<float> block_maxima_;
  std::vector<std::int32_t> bins_;  ///< of the members
  std::vector<double> bin_weights_;
  std::vector<Member> boundary_;  ///< the members of the bin that the cut goes through
};

}  // namespace switchyard::engine
