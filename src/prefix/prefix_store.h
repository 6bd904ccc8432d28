#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/types.h"

namespace switchyard::prefix {

/// Which prefixes of a lane are parked in host memory, and which are given up for another. The
/// bytes themselves are the engine's. Not thread safe.
///
/// Replacement is GreedyDual (Young 1994) by cost saved: a prefix is worth the prefill time that a
/// use of it saves per byte, times its uses, on top of a clock that rises to the worth of what was
/// given up last; so what is not used again ages out however dear it was.
class PrefixStore {
 public:
  /// `budget_bytes` 0: nothing is stored.
  PrefixStore(std::uint64_t budget_bytes, std::uint64_t bytes_per_token)
      : budget_bytes_(budget_bytes), bytes_per_token_(bytes_per_token) {}

  /// Until the next call, prefixes that were added or used stay: they belong to one plan.
  void begin_plan() { ++plan_; }

  /// Makes room and records a prefix of `n_tokens`. Appends what is given up for it to `evicted`.
  /// Returns 0, with nothing changed, if it does not fit beside what this plan needs.
  core::PrefixId add(std::int32_t n_tokens, std::vector<core::PrefixId>& evicted);
  void use(core::PrefixId prefix);
  void remove(core::PrefixId prefix);
  /// Added or used since begin_plan().
  bool is_needed(core::PrefixId prefix) const { return prefixes_.at(prefix).plan == plan_; }

  bool enabled() const { return budget_bytes_ > 0; }
  bool can_hold(std::int32_t n_tokens) const { return bytes(n_tokens) <= budget_bytes_; }
  std::uint64_t used_bytes() const { return used_bytes_; }
  std::size_t size() const { return prefixes_.size(); }

 private:
  struct Prefix {
    std::int32_t n_tokens = 0;
    std::uint32_t uses = 0;
    double clock = 0;  ///< at the last use
    std::uint64_t plan = 0;
  };

  std::uint64_t bytes(std::int32_t n_tokens) const;
  double worth(const Prefix& prefix) const;

  std::uint64_t budget_bytes_;
  std::uint64_t bytes_per_token_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t plan_ = 0;
  double clock_ = 0;
  core::PrefixId last_id_ = 0;
  std::map<core::PrefixId, Prefix> prefixes_;
};

}  // namespace switchyard::prefix
