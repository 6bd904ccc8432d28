#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace switchyard::router {

enum class Speculation : std::uint8_t {
  kNone,
  kNgram,  ///< drafts are looked up in the sequence's own tokens
  kDraft,  ///< drafts come from the lane whose lone step is cheapest
};

/// How one request is served: weights × prefix reuse × speculation. `lane` indexes the loaded
/// lanes.
struct Mode {
  std::uint8_t lane = 0;
  bool prefix = false;
  Speculation speculation = Speculation::kNone;

  bool operator==(const Mode&) const = default;
};

/// "bf16", "q8_0+prefix", "bf16+prefix+ngram". `weights` names the loaded lanes.
std::string mode_name(const Mode& mode, std::span<const std::string> weights);

/// The inverse; the parts behind the weights may come in any order, in upper or lower case. Error:
/// kUsage, one line that lists the choices.
Result<Mode> parse_mode(std::string_view text, std::span<const std::string> weights);

}  // namespace switchyard::router
