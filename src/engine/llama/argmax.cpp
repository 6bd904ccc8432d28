#include "engine/llama/argmax.h"

#include <algorithm>
#include <array>
#include <limits>

namespace switchyard::engine {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kBlock = 512;
constexpr float kLowest = -std::numeric_limits<float>::infinity();

}  // namespace

float max_value(std::span<const float> values) {
  std::array<float, kLanes> best;
  best.fill(kLowest);
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float value = values[i + lane];
      best[lane] = value > best[lane] ? value : best[lane];
    }
  }
  float result = kLowest;
  for (; i < values.size(); ++i) result = values[i] > result ? values[i] : result;
  for (const float value : best) result = value > result ? value : result;
  return result;
}

std::size_t argmax(std::span<const float> values) {
  float best = kLowest;
  std::size_t best_block = 0;
  for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
    const float block_best =
        max_value(values.subspan(begin, std::min(kBlock, values.size() - begin)));
    if (block_best > best) {
      best = block_best;
      best_block = begin;
    }
  }
  for (std::size_t i = best_block; i < values.size(); ++i) {
    if (values[i] == best) return i;
  }
  return 0;
}

}  // namespace switchyard::engine
