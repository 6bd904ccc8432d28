#include "engine/passes.h"

namespace switchyard::engine {
namespace {

using Streams = std::vector<core::StreamTokens>;

bool adjacent(const Streams& streams, std::size_t a, std::size_t b) {
  return streams[b].stream == streams[a].stream + 1;
}

bool closes_gap(const Streams& streams, std::size_t i) {
  return i > 0 && i + 1 < streams.size() && adjacent(streams, i - 1, i) &&
         adjacent(streams, i, i + 1) && streams[i - 1].tokens.size() == 1 &&
         streams[i + 1].tokens.size() == 1;
}

// Appends to the last pass if `part` may join it, else begins a pass.
void append(const Streams& streams, PassPart part, std::size_t first_pass,
            std::vector<Pass>& passes) {
  const bool joins = passes.size() > first_pass && passes.back().back().count == part.count &&
                     adjacent(streams, passes.back().back().entry, part.entry);
  if (!joins) passes.emplace_back();
  passes.back().push_back(part);
}

}  // namespace

std::vector<Pass> split_passes(const core::BatchPlan& plan) {
  const Streams& streams = plan.streams;
  std::vector<Pass> passes;
  std::vector<std::int32_t> taken(streams.size(), 0);
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (streams[i].tokens.size() > 1 && !closes_gap(streams, i)) continue;
    append(streams, {i, 0, 1}, 0, passes);
    taken[i] = 1;
  }
  const std::size_t first_long = passes.size();
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const auto left = static_cast<std::int32_t>(streams[i].tokens.size()) - taken[i];
    if (left > 0) append(streams, {i, taken[i], left}, first_long, passes);
  }
  return passes;
}

}  // namespace switchyard::engine
