#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "router/mode.h"

namespace switchyard::router {

/// What decided for a mode.
enum class Reason : std::uint8_t {
  kCheapest,
  kOnlyReference,
  kPrefixReuse,
  kSpeculation,
  kConsolidates,
  kReferenceWithinMargin,
  kNothingFits,
  kFixed,
  kRandom,
  kPredicted,
  kLeastRealised,
  kPaperBatchPressure,
  kPaperSharedPrefix,
  kPaperMemoryPressure,
  kPaperCell,
  kPaperArithmetic,
  kPaperMultipleChoice,
  kPaperShort,
  kPaperLongOutput,
  kPaperOtherwise,
};

struct ReasonText {
  std::string_view name;  ///< of the rule, for headers, metrics and logs
  std::string_view why;   ///< for explanations
};
inline constexpr std::size_t kReasons = 20;
inline constexpr std::array<ReasonText, kReasons> kReasonTexts = {{
    {"cheapest", "the cheapest mode that keeps this request's quality"},
    {"only_reference", "no other weights may answer this request"},
    {"prefix_reuse", "the cheapest; restoring the shared prefix saves most of the prefill"},
    {"speculation", "the cheapest; verifying drafts emits tokens faster than plain steps"},
    {"consolidates",
     "another mode would be faster for this request alone, but would delay the "
     "running ones by more"},
    {"reference_within_margin", "the reference costs as little, within the error of the estimates"},
    {"nothing_fits", "no mode has room now: the request waits for the reference"},
    {"fixed", "this mode was asked for"},
    {"random", "drawn by chance"},
    {"predicted", "the trained model's most likely mode among those that keep the quality"},
    {"least_realised", "all modes were run; this one cost least"},
    {"paper_batch_pressure", "published rule: 4 or more sequences run → int8"},
    {"paper_shared_prefix", "published rule: shared prefix → 4-bit with prefix reuse"},
    {"paper_memory_pressure", "published rule: memory pressure → 4-bit"},
    {"paper_cell", "published rule: lengths of a benchmark's cell"},
    {"paper_arithmetic", "published rule: arithmetic → speculative"},
    {"paper_multiple_choice", "published rule: multiple choice → int8"},
    {"paper_short", "published rule: prompt ≤ 384 and output ≤ 64 → speculative"},
    {"paper_long_output", "published rule: output ≥ 128 → speculative"},
    {"paper_otherwise", "published rule: everything else → int8"},
}};
inline const ReasonText& reason_text(Reason reason) {
  return kReasonTexts[static_cast<std::size_t>(reason)];
}

struct Decision {
  Mode mode = {};
  Reason reason = Reason::kCheapest;
  /// Marginal cost of the mode, others' delay included. 0: the policy does not estimate it.
  float expected_ms = 0;
};

}  // namespace switchyard::router
