#include "prefix/prefix_store.h"

#include <algorithm>
#include <utility>

namespace switchyard::prefix {
namespace {

/// What an entry takes beside its tokens: cell positions and headers.
constexpr std::uint64_t kFixedBytes = 4096;
/// Prefill of a token at this context costs about twice that of the first (135M model on a CPU,
/// benchmarks/pass_cost); only the order of prefixes by worth depends on it.
constexpr double kContextOfDoubleCost = 2048;

}  // namespace

std::uint64_t PrefixStore::bytes(std::int32_t n_tokens) const {
  return kFixedBytes + bytes_per_token_ * static_cast<std::uint64_t>(n_tokens);
}

double PrefixStore::worth(const Prefix& prefix) const {
  const double saved_per_byte = 1 + prefix.n_tokens / (2 * kContextOfDoubleCost);
  return prefix.clock + (1 + prefix.uses) * saved_per_byte;
}

core::PrefixId PrefixStore::add(std::int32_t n_tokens, std::vector<core::PrefixId>& evicted) {
  std::vector<std::pair<double, core::PrefixId>> victims;
  std::uint64_t free = budget_bytes_ - used_bytes_;
  if (free < bytes(n_tokens)) {
    for (const auto& [id, prefix] : prefixes_) {
      if (prefix.plan != plan_) victims.emplace_back(worth(prefix), id);
    }
    std::sort(victims.begin(), victims.end());
  }
  std::size_t n_victims = 0;
  while (free < bytes(n_tokens) && n_victims < victims.size()) {
    free += bytes(prefixes_.at(victims[n_victims++].second).n_tokens);
  }
  if (free < bytes(n_tokens)) return 0;
  for (std::size_t i = 0; i < n_victims; ++i) {
    clock_ = std::max(clock_, victims[i].first);
    evicted.push_back(victims[i].second);
    remove(victims[i].second);
  }
  used_bytes_ += bytes(n_tokens);
  prefixes_.emplace(++last_id_, Prefix{n_tokens, 0, clock_, plan_});
  return last_id_;
}

void PrefixStore::use(core::PrefixId id) {
  Prefix& prefix = prefixes_.at(id);
  ++prefix.uses;
  prefix.clock = clock_;
  prefix.plan = plan_;
}

void PrefixStore::remove(core::PrefixId id) {
  const auto found = prefixes_.find(id);
  used_bytes_ -= bytes(found->second.n_tokens);
  prefixes_.erase(found);
}

}  // namespace switchyard::prefix
