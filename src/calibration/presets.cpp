#include "calibration/presets.h"

#include <algorithm>
#include <vector>

#include "calibration/fit.h"

namespace switchyard::calibration {
namespace {

/// Published, batch 1.
struct Published {
  const char* mode;
  std::array<double, 3> ttft_ms;  ///< at kPromptTokens
  double token_ms;
  double joules_per_token;
  std::uint64_t weights_bytes;  ///< 8.03e9 parameters × bits / 8
};

constexpr std::array<std::int32_t, 3> kPromptTokens = {512, 1024, 2048};
constexpr std::array<Published, 5> kPublished = {{
    {"fp16", {33, 104, 195}, 19.75, 3.63, 16'060'000'000},
    // 2,048 tokens were not published with graphs: eager's figure × the ratio at 1,024.
    {"fp16-graphs", {44, 120, 195.0 * 120 / 104}, 14.65, 3.27, 16'060'000'000},
    {"int8", {36, 84, 147}, 10.81, 1.93, 8'030'000'000},
    {"4bit", {55, 123, 214}, 7.02, 1.40, 4'520'000'000},
    {"speculative", {43, 124, 229}, 10.32, 1.50, 16'060'000'000},
}};

/// Published: 50–54 ms to the first token when 4,032 of a prompt's tokens are shared; one 64-token
/// block is then left to compute.
constexpr double kSharedTtftMs = 52;
constexpr double kSharedTokens = 4032;
constexpr double kUnsharedTokens = 64;

// Not published; arithmetic for what batch 1 does not show. 8 billion multiply-adds at half of the
// A100's 312 TFLOP/s per further token of a step; 32 layers × 8 KV heads × 128 × 2 × 2 bytes per
// token of context, read at 1.5 TB/s.
constexpr double kFurtherTokenMs = 0.1;
constexpr std::uint64_t kKvBytesPerToken = 131'072;
constexpr double kContextTokenMs = kKvBytesPerToken / 1.5e9;
constexpr std::int32_t kPublishedContext = 512;
constexpr std::int32_t kUnchunked = 1 << 20;

/// Three figures that bend both ways say nothing about attention: a pass and time per token only.
void set_prefill(const Published& published, ModeCosts& costs) {
  std::vector<FitRow> rows;
  rows.reserve(kPromptTokens.size());
  for (std::size_t i = 0; i < kPromptTokens.size(); ++i) {
    rows.push_back({{1, static_cast<double>(kPromptTokens[i])}, published.ttft_ms[i]});
  }
  const Fit fit = fit_nonnegative(rows);
  costs.prefill_chunk_tokens = kUnchunked;
  costs.prefill_pass_ms = fit.coefficients[0];
  costs.prefill_token_ms = fit.coefficients[1];
  costs.fit_error = fit.error;
  costs.restore_fixed_ms =
      std::max(0.0, kSharedTtftMs - prefill_ms(costs, kUnsharedTokens, kSharedTokens));
  costs.restore_token_ms = 0;
}

void set_decode(const Published& published, ModeCosts& costs) {
  costs.decode_batches = {1, 32};
  costs.decode_contexts = {0, 4096};
  for (const std::int32_t batch : costs.decode_batches) {
    for (const std::int32_t context : costs.decode_contexts) {
      costs.decode_table_ms.push_back(published.token_ms + (batch - 1) * kFurtherTokenMs +
                                      (batch * context - kPublishedContext) * kContextTokenMs);
    }
  }
  for (const std::int32_t tokens : {1, 2, 3, 4, 5, 8, 16}) {
    costs.verify_ratios.push_back(
        {tokens, 1 + (tokens - 1) * kFurtherTokenMs / published.token_ms});
  }
}

ModeCosts costs_of(const Published& published) {
  ModeCosts costs;
  costs.mode = published.mode;
  set_prefill(published, costs);
  set_decode(published, costs);
  costs.decode_watts = published.joules_per_token / published.token_ms * 1e3;
  costs.weights_bytes = published.weights_bytes;
  costs.kv_bytes_per_token = kKvBytesPerToken;
  return costs;
}

}  // namespace

std::optional<Calibration> preset(std::string_view name) {
  if (name != kPresetNames[0]) return std::nullopt;
  Calibration calibration;
  calibration.label =
      "preset arithmetic from published figures: Llama-3.1-8B, one A100, batch 1 (arXiv "
      "2605.23057)";
  calibration.identity.model = "preset:" + std::string(name);
  for (const Published& published : kPublished) calibration.modes.push_back(costs_of(published));
  return calibration;
}

}  // namespace switchyard::calibration
