#pragma once

#include <cstdint>

namespace switchyard::router {

/// The formulas of a mode's marginal cost: what a request takes itself, and what it takes from the
/// sequences beside it. Lanes of one device take turns, so every sequence waits for the steps of
/// all lanes. Times in milliseconds.

/// One round of the device – a step of each lane that has work – as the request would find it.
struct Round {
  float others_ms = 0;   ///< steps of the other lanes
  float before_ms = 0;   ///< the lane's decode step without the request; 0 if it is idle
  float plain_ms = 0;    ///< its decode step with the request in the batch
  float neighbours = 0;  ///< sequences of all lanes that every added millisecond delays
};

/// A verification pass beside the lane's plain step.
struct Verification {
  float pass_ms = 0;   ///< verifying γ+1 tokens of this sequence, and drafting γ
  float tokens = 1;    ///< that a verification is expected to emit
  float coverage = 1;  ///< share of the output's tokens that come from verifications
};

struct Cost {
  float wait_ms = 0;     ///< for a free stream
  float prefill_ms = 0;  ///< to the first token, restoring the shared prefix included
  float decode_ms = 0;
  float neighbours_ms = 0;  ///< delay of all others together

  float own_ms() const { return wait_ms + prefill_ms + decode_ms; }
  float total_ms() const { return own_ms() + neighbours_ms; }
};

/// Adds `prefill_ms` of passes, between which the round goes on, and `tokens` of plain decoding.
inline void add_prefill(const Round& round, float prefill_ms, float passes, Cost& cost) {
  cost.prefill_ms += prefill_ms + passes * (round.others_ms + round.before_ms);
  cost.neighbours_ms += round.neighbours * prefill_ms;
}

inline void add_plain_decode(const Round& round, float tokens, Cost& cost) {
  cost.decode_ms += tokens * (round.others_ms + round.plain_ms);
  cost.neighbours_ms += tokens * round.neighbours * (round.plain_ms - round.before_ms);
}

inline void add_speculative_decode(const Round& round, const Verification& verification,
                                   float tokens, Cost& cost) {
  add_plain_decode(round, tokens * (1 - verification.coverage), cost);
  const float verifications = tokens * verification.coverage / verification.tokens;
  cost.decode_ms += verifications * (round.others_ms + round.before_ms + verification.pass_ms);
  cost.neighbours_ms += verifications * round.neighbours * verification.pass_ms;
}

/// Plain time per token over that with speculation, for the request itself. Alone and with full
/// coverage this is E[tokens per step] / (draft cost + r(γ+1)).
inline float speculation_gain(const Round& round, const Verification& verification) {
  const float plain = round.others_ms + round.plain_ms;
  const float verifying =
      (round.others_ms + round.before_ms + verification.pass_ms) / verification.tokens;
  return plain / ((1 - verification.coverage) * plain + verification.coverage * verifying);
}

/// Share by which a round with a verification is longer than one with a plain token.
inline float speculation_slowdown(const Round& round, const Verification& verification) {
  const float plain = round.others_ms + round.plain_ms;
  return (round.others_ms + round.before_ms + verification.pass_ms) / plain - 1;
}

/// Time until a stream is free for the last of `queued` ≥ 0 sequences (the request included) when
/// all `streams` decode outputs like the request's, `tokens` in rounds of `round_ms`.
inline float queue_wait_ms(float queued, float streams, float tokens, float round_ms) {
  return queued * tokens * round_ms / streams;
}

/// Tokens that one verification of γ drafted tokens is expected to emit:
/// (1 − α^(γ+1)) / (1 − α) (Leviathan et al. 2023, eq. 1).
double expected_tokens(double alpha, std::int32_t draft_tokens);

}  // namespace switchyard::router
