#include "engine/count_passes.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace switchyard::engine {

std::int32_t count_passes(const core::BatchPlan& plan) {
  const auto& streams = plan.streams;
  std::vector<std::size_t> left(streams.size());
  for (std::size_t i = 0; i < streams.size(); ++i) left[i] = streams[i].tokens.size();

  std::int32_t passes = 0;
  std::size_t first = 0;  // first stream with tokens left
  while (true) {
    while (first < left.size() && left[first] == 0) ++first;
    if (first == left.size()) return passes;
    std::size_t end = first + 1;
    std::size_t shortest = left[first];
    while (end < left.size() && left[end] > 0 &&
           streams[end].stream == streams[end - 1].stream + 1) {
      shortest = std::min(shortest, left[end]);
      ++end;
    }
    for (std::size_t i = first; i < end; ++i) left[i] -= shortest;
    ++passes;
  }
}

}  // namespace switchyard::engine
