#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string_view>

#include "router/cost.h"
#include "router/features.h"
#include "router/mode.h"
#include "router/quality.h"

namespace switchyard::router {

/// Why a mode cannot be chosen for a request.
enum class RuledOut : std::uint8_t {
  kNo,
  kQuality,  ///< the candidate's verdict says what
  kTooLong,
  kNoMemory,
  kNotFaster,
  kSlowsNeighbours,
  kDraftNotPaidBack,
};
inline constexpr std::size_t kRuledOuts = 7;
/// In words, for explanations.
std::string_view ruled_out_text(RuledOut why);

struct Candidate {
  Mode mode = {};
  RuledOut ruled_out = RuledOut::kNo;
  Verdict verdict = Verdict::kReference;
  std::uint8_t draft_tokens = 0;
  float gain = 1;  ///< by speculation, see speculation_gain()
  Cost cost = {};  ///< marginal, under the load of the snapshot
};

/// Modes that could serve a request: each lane plainly, reusing the prefix where that saves time,
/// and with each speculation that ever pays on it. The lanes ascend.
class Assessment {
 public:
  static constexpr std::size_t kMaxCandidates = 3 * kMaxLanes;

  std::span<const Candidate> candidates() const { return {storage_.candidates.data(), count_}; }

  void clear() { count_ = 0; }
  /// Adds the candidate that `make` returns, built in its place.
  template <typename Make>
  Candidate& add(const Make& make) {
    return *::new (static_cast<void*>(&storage_.candidates[count_++])) Candidate(make());
  }
  void drop_last() { --count_; }

 private:
  // Clearing what is never read would take a fifth of a decision's time.
  union Storage {
    Storage() {}  // NOLINT(*-use-equals-default)
    std::array<Candidate, kMaxCandidates> candidates;
  };
  Storage storage_;
  std::size_t count_ = 0;
};

}  // namespace switchyard::router
