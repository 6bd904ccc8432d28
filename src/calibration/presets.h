#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "calibration/calibration.h"

namespace switchyard::calibration {

inline constexpr std::array<std::string_view, 1> kPresetNames = {"a100-llama8b"};

/// A calibration nobody measured here, for simulated engines and what-if tables; its label says
/// "preset arithmetic" and from what. Empty for a name that is none of kPresetNames.
///
/// `a100-llama8b`: the published figures of Llama-3.1-8B at batch 1 on one A100 (arXiv 2605.23057).
/// Modes: fp16 (eager, the papers' standard), fp16-graphs, int8, 4bit, speculative (whose ms per
/// token holds drafting and verifying already).
std::optional<Calibration> preset(std::string_view name);

}  // namespace switchyard::calibration
