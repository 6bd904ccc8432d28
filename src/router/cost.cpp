#include "router/cost.h"

#include <algorithm>

namespace switchyard::router {
namespace {

constexpr double kCopyBytesPerMs = 1e6;  // 1 GB/s

}  // namespace

double restore_or_copy_ms(const calibration::ModeCosts& costs, double tokens) {
  if (const auto measured = calibration::restore_ms(costs, tokens)) return *measured;
  return tokens * static_cast<double>(costs.kv_bytes_per_token) / kCopyBytesPerMs;
}

double plain_prefill_ms(const calibration::ModeCosts& costs, double prompt_tokens) {
  return calibration::prefill_ms(costs, prompt_tokens, 0);
}

double shared_prefill_ms(const calibration::ModeCosts& costs, double prompt_tokens,
                         double shared_tokens) {
  const double restored = std::min(shared_tokens, prompt_tokens - 1);
  return restore_or_copy_ms(costs, restored) +
         calibration::prefill_ms(costs, prompt_tokens - restored, restored);
}

void add_prefill(const Round& round, double prefill_ms, double passes, Cost& cost) {
  cost.prefill_ms += prefill_ms + passes * (round.others_ms + round.before_ms);
  cost.neighbours_ms += round.neighbours * prefill_ms;
}

void add_plain_decode(const Round& round, double tokens, Cost& cost) {
  cost.decode_ms += tokens * (round.others_ms + round.plain_ms);
  cost.neighbours_ms += tokens * round.neighbours * (round.plain_ms - round.before_ms);
}

void add_speculative_decode(const Round& round, const Verification& verification, double tokens,
                            Cost& cost) {
  add_plain_decode(round, tokens * (1 - verification.coverage), cost);
  const double verifications = tokens * verification.coverage / verification.tokens;
  cost.decode_ms += verifications * (round.others_ms + round.before_ms + verification.pass_ms);
  cost.neighbours_ms += verifications * round.neighbours * verification.pass_ms;
}

double speculation_gain(const Round& round, const Verification& verification) {
  const double plain = round.others_ms + round.plain_ms;
  const double verifying =
      (round.others_ms + round.before_ms + verification.pass_ms) / verification.tokens;
  return plain / ((1 - verification.coverage) * plain + verification.coverage * verifying);
}

double speculation_slowdown(const Round& round, const Verification& verification) {
  const double plain = round.others_ms + round.plain_ms;
  return (round.others_ms + round.before_ms + verification.pass_ms) / plain - 1;
}

double queue_wait_ms(double queued, double streams, double tokens, double round_ms) {
  return queued <= 0 ? 0 : queued * tokens * round_ms / streams;
}

double expected_tokens(double alpha, std::int32_t draft_tokens) {
  double sum = 1;
  double power = 1;
  for (std::int32_t i = 0; i < draft_tokens; ++i) sum += power *= alpha;
  return sum;
}

}  // namespace switchyard::router
