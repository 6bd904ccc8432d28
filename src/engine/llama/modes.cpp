#include "engine/llama/modes.h"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace switchyard::engine {
namespace {

// Where 256-wide blocks do not fit a tensor the quantizer takes a larger type, hence the bounds.
constexpr std::array<Mode, 8> kModes = {{
    {"f16", LLAMA_FTYPE_MOSTLY_F16, 16, true},
    {"bf16", LLAMA_FTYPE_MOSTLY_BF16, 16, true},
    {"q8_0", LLAMA_FTYPE_MOSTLY_Q8_0, 8.5, false},
    {"q6_K", LLAMA_FTYPE_MOSTLY_Q6_K, 8.5, false},
    {"q5_0", LLAMA_FTYPE_MOSTLY_Q5_0, 8.5, false},
    {"q4_K_M", LLAMA_FTYPE_MOSTLY_Q4_K_M, 8.5, false},
    {"q4_0", LLAMA_FTYPE_MOSTLY_Q4_0, 8.5, false},
    {"iq4_nl", LLAMA_FTYPE_MOSTLY_IQ4_NL, 8.5, false},
}};

std::string_view auto_mode() { return ggml_cpu_has_avx512_bf16() != 0 ? "bf16" : "f16"; }

std::string choices() {
  std::string list = "auto";
  for (const Mode& mode : kModes) list += fmt::format(", {}", mode.name);
  return list;
}

}  // namespace

Result<std::vector<Mode>> resolve_modes(const std::vector<std::string>& names) {
  const auto refuse = [](const std::string& why) {
    return Error{ErrorCode::kUsage, fmt::format("modes: {}; choices are {}", why, choices()),
                 "modes"};
  };
  std::vector<Mode> modes;
  for (const std::string& name : names) {
    const std::string_view wanted = name == "auto" ? auto_mode() : std::string_view(name);
    const auto* mode = std::find_if(kModes.begin(), kModes.end(),
                                    [&](const Mode& known) { return known.name == wanted; });
    if (mode == kModes.end()) return refuse(fmt::format("unknown mode {:?}", name.substr(0, 40)));
    const bool repeated = std::any_of(modes.begin(), modes.end(), [&](const Mode& earlier) {
      return earlier.file_type == mode->file_type;
    });
    if (repeated) return refuse(fmt::format("{} is listed twice", mode->name));
    modes.push_back(*mode);
  }
  if (modes.empty()) return refuse("none is listed");
  return modes;
}

}  // namespace switchyard::engine
