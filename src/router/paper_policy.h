#pragma once

#include <array>
#include <cstdint>

#include "router/policy.h"
#include "router/router_setup.h"

namespace switchyard::router {

/// The modes of the published rules (arXiv 2605.23057).
enum class PaperMode : std::uint8_t { kInt8, kFourBit, kFourBitPrefix, kSpeculative };
inline constexpr std::size_t kPaperModes = 4;

/// Ours for each of theirs among what is loaded; the reference, plainly, where nothing fits.
std::array<Mode, kPaperModes> map_paper_modes(const RouterSetup& setup);

/// The published rule order, for comparison: hard-coded thresholds, no quality guard. Its short and
/// long cells go by the benchmark's name in the release; a server sees no name, so they match
/// lengths within a quarter of the benchmark's. Thread safe.
class PaperPolicy : public Policy {
 public:
  explicit PaperPolicy(const RouterSetup& setup) : modes_(map_paper_modes(setup)) {}
  Decision decide(const Features& features, const LoadSnapshot& load) override;

 private:
  std::array<Mode, kPaperModes> modes_;
};

}  // namespace switchyard::router
