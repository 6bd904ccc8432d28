#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

/// Every mode that could serve a request: each lane plainly, reusing the prefix where that saves
/// time, and with each speculation that ever pays on it. The lanes ascend.
struct Assessment {
  static constexpr std::size_t kMaxCandidates = 3 * kMaxLanes;
  std::array<Candidate, kMaxCandidates> storage;
  std::size_t count = 0;

  std::span<const Candidate> candidates() const { return {storage.data(), count}; }
};

}  // namespace switchyard::router
