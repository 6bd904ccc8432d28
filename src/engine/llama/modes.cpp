#include "engine/llama/modes.h"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace switchyard::engine {
namespace {

/// Where 256-wide blocks do not fit a tensor the quantizer takes a larger type, at most Q8_0.
constexpr double kWidestQuantized = 8.5;

/// What llama.cpp's quantizer derives from the weights alone. Its ternary, 1-bit and MXFP4 types
/// are left out: they are of use only to models trained for them.
constexpr std::array<Mode, 20> kModes = {{
    {"f16", LLAMA_FTYPE_MOSTLY_F16, GGML_TYPE_F16, 16, true},
    {"bf16", LLAMA_FTYPE_MOSTLY_BF16, GGML_TYPE_BF16, 16, true},
    {"q8_0", LLAMA_FTYPE_MOSTLY_Q8_0, GGML_TYPE_Q8_0, kWidestQuantized, false},
    {"q6_K", LLAMA_FTYPE_MOSTLY_Q6_K, GGML_TYPE_Q6_K, kWidestQuantized, false},
    {"q5_K_M", LLAMA_FTYPE_MOSTLY_Q5_K_M, GGML_TYPE_Q5_K, kWidestQuantized, false},
    {"q5_K_S", LLAMA_FTYPE_MOSTLY_Q5_K_S, GGML_TYPE_Q5_K, kWidestQuantized, false},
    {"q5_1", LLAMA_FTYPE_MOSTLY_Q5_1, GGML_TYPE_Q5_1, kWidestQuantized, false},
    {"q5_0", LLAMA_FTYPE_MOSTLY_Q5_0, GGML_TYPE_Q5_0, kWidestQuantized, false},
    {"q4_K_M", LLAMA_FTYPE_MOSTLY_Q4_K_M, GGML_TYPE_Q4_K, kWidestQuantized, false},
    {"q4_K_S", LLAMA_FTYPE_MOSTLY_Q4_K_S, GGML_TYPE_Q4_K, kWidestQuantized, false},
    {"q4_1", LLAMA_FTYPE_MOSTLY_Q4_1, GGML_TYPE_Q4_1, kWidestQuantized, false},
    {"q4_0", LLAMA_FTYPE_MOSTLY_Q4_0, GGML_TYPE_Q4_0, kWidestQuantized, false},
    {"iq4_nl", LLAMA_FTYPE_MOSTLY_IQ4_NL, GGML_TYPE_IQ4_NL, kWidestQuantized, false},
    {"iq4_xs", LLAMA_FTYPE_MOSTLY_IQ4_XS, GGML_TYPE_IQ4_XS, kWidestQuantized, false},
    {"q3_K_L", LLAMA_FTYPE_MOSTLY_Q3_K_L, GGML_TYPE_Q3_K, kWidestQuantized, false},
    {"q3_K_M", LLAMA_FTYPE_MOSTLY_Q3_K_M, GGML_TYPE_Q3_K, kWidestQuantized, false},
    {"q3_K_S", LLAMA_FTYPE_MOSTLY_Q3_K_S, GGML_TYPE_Q3_K, kWidestQuantized, false},
    {"iq3_m", LLAMA_FTYPE_MOSTLY_IQ3_M, GGML_TYPE_IQ3_S, kWidestQuantized, false},
    {"iq3_s", LLAMA_FTYPE_MOSTLY_IQ3_S, GGML_TYPE_IQ3_S, kWidestQuantized, false},
    {"q2_K", LLAMA_FTYPE_MOSTLY_Q2_K, GGML_TYPE_Q2_K, kWidestQuantized, false},
}};

/// What the quantizer refuses to derive without an importance matrix.
constexpr std::array<std::string_view, 9> kNeedImportanceMatrix = {
    "iq3_xs", "iq3_xxs", "q2_K_S", "iq2_m", "iq2_s", "iq2_xs", "iq2_xxs", "iq1_m", "iq1_s"};

std::string_view auto_mode() { return ggml_cpu_has_avx512_bf16() != 0 ? "bf16" : "f16"; }

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

const Mode* find_mode(std::string_view name) {
  const std::string_view wanted = same_name(name, "auto") ? auto_mode() : name;
  const auto* mode = std::find_if(kModes.begin(), kModes.end(),
                                  [&](const Mode& known) { return same_name(known.name, wanted); });
  return mode == kModes.end() ? nullptr : mode;
}

std::string why_unknown(const std::string& name) {
  for (const std::string_view known : kNeedImportanceMatrix) {
    if (same_name(name, known)) return fmt::format("{} needs an importance matrix", known);
  }
  return fmt::format("unknown mode {:?}", name.substr(0, 40));
}

}  // namespace

std::string mode_choices() {
  std::string list = "auto";
  for (const Mode& mode : kModes) list += fmt::format(", {}", mode.name);
  return list;
}

std::string tensor_type_name(const Mode& mode) {
  return ggml_type_name(static_cast<ggml_type>(mode.tensor_type));
}

Result<std::vector<Mode>> resolve_modes(const std::vector<std::string>& names) {
  const auto refuse = [](const std::string& why) {
    return Error{ErrorCode::kUsage, fmt::format("modes: {}; choices are {}", why, mode_choices()),
                 "modes"};
  };
  std::vector<Mode> modes;
  for (const std::string& name : names) {
    const Mode* mode = find_mode(name);
    if (mode == nullptr) return refuse(why_unknown(name));
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
