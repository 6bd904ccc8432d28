#include "router/prefill_costs.h"

namespace switchyard::router {
namespace {

/// Where restoring was not measured it counts as copying the KV memory at 1 GB/s: slow for a host,
/// and yet an order of magnitude faster than computing.
constexpr double kCopyBytesPerMs = 1e6;

}  // namespace

PrefillCosts::PrefillCosts(const calibration::ModeCosts& costs)
    : chunk_(static_cast<float>(std::max(1, costs.prefill_chunk_tokens))),
      per_chunk_(1 / chunk_),
      pass_ms_(static_cast<float>(costs.prefill_pass_ms)),
      pass_context_ms_(static_cast<float>(costs.prefill_pass_context_ms)),
      token_ms_(static_cast<float>(costs.prefill_token_ms)),
      attention_ms_(static_cast<float>(costs.prefill_attention_ms)),
      restore_token_ms_(
          static_cast<float>(static_cast<double>(costs.kv_bytes_per_token) / kCopyBytesPerMs)) {
  if (!costs.restore_fixed_ms || !costs.restore_token_ms) return;
  restore_ms_ = static_cast<float>(*costs.restore_fixed_ms);
  restore_token_ms_ = static_cast<float>(*costs.restore_token_ms);
}

}  // namespace switchyard::router
