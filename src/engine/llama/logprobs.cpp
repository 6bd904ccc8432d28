#include "engine/llama/logprobs.h"

#include <algorithm>
#include <cmath>

#include "engine/llama/argmax.h"
#include "engine/llama/softmax.h"

namespace switchyard::engine {
namespace {

/// Passed over at once if its largest logit is not among the most likely.
constexpr std::size_t kBlock = 64;

}  // namespace

float log_sum_exp(std::span<const float> logits) {
  const float largest = max_value(logits);
  return largest + static_cast<float>(std::log(exp_sum(logits, largest, 1)));
}

std::vector<core::TokenLogprob> most_likely(std::span<const float> logits, float log_sum,
                                            std::int32_t count) {
  const auto more_likely = [](const core::TokenLogprob& a, const core::TokenLogprob& b) {
    return a.logprob != b.logprob ? a.logprob > b.logprob : a.token < b.token;
  };
  std::vector<core::TokenLogprob> best;  // a heap whose front is the least likely that is kept
  const auto wanted = static_cast<std::size_t>(std::max(count, 0));
  if (wanted == 0) return best;
  best.reserve(wanted + 1);
  for (std::size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, logits.size());
    const float largest = max_value(logits.subspan(begin, end - begin)) - log_sum;
    if (best.size() == wanted && !(largest > best.front().logprob)) continue;
    for (std::size_t token = begin; token < end; ++token) {
      const float logprob = logits[token] - log_sum;
      if (best.size() == wanted && !(logprob > best.front().logprob)) continue;
      best.push_back({static_cast<core::TokenId>(token), logprob});
      std::push_heap(best.begin(), best.end(), more_likely);
      if (best.size() <= wanted) continue;
      std::pop_heap(best.begin(), best.end(), more_likely);
      best.pop_back();
    }
  }
  std::sort_heap(best.begin(), best.end(), more_likely);
  return best;
}

}  // namespace switchyard::engine
