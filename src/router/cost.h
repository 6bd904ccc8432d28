#pragma once

#include <cstdint>

#include "calibration/calibration.h"

namespace switchyard::router {

/// The formulas of a mode's marginal cost: what a request takes itself, and what it takes from the
/// sequences beside it. Lanes of one device take turns, so every sequence waits for the steps of
/// all lanes. Times in milliseconds.

/// One round of the device – a step of each lane that has work – as the request would find it.
struct Round {
  double others_ms = 0;   ///< steps of the other lanes
  double before_ms = 0;   ///< the lane's decode step without the request; 0 if it is idle
  double plain_ms = 0;    ///< its decode step with the request in the batch
  double neighbours = 0;  ///< sequences of all lanes that every added millisecond delays
};

/// A verification pass beside the lane's plain step.
struct Verification {
  double pass_ms = 0;   ///< verifying γ+1 tokens of this sequence, and drafting γ
  double tokens = 1;    ///< that a verification is expected to emit
  double coverage = 1;  ///< share of the output's tokens that come from verifications
};

struct Cost {
  double wait_ms = 0;     ///< for a free stream
  double prefill_ms = 0;  ///< to the first token, restoring the shared prefix included
  double decode_ms = 0;
  double neighbours_ms = 0;  ///< delay of all others together

  double own_ms() const { return wait_ms + prefill_ms + decode_ms; }
  double total_ms() const { return own_ms() + neighbours_ms; }
};

/// Restoring a shared prefix; where that was not measured, the time to copy its KV memory at 1 GB/s
/// (a slow host: a prefix still restores an order of magnitude faster than it computes).
double restore_or_copy_ms(const calibration::ModeCosts& costs, double tokens);

/// Alone on the device, the request's own passes only.
double plain_prefill_ms(const calibration::ModeCosts& costs, double prompt_tokens);
/// The same when the first `shared_tokens` are restored; at least one token is computed.
double shared_prefill_ms(const calibration::ModeCosts& costs, double prompt_tokens,
                         double shared_tokens);

/// Adds `prefill_ms` of passes, between which the round goes on, and `tokens` of plain decoding.
void add_prefill(const Round& round, double prefill_ms, double passes, Cost& cost);
void add_plain_decode(const Round& round, double tokens, Cost& cost);
void add_speculative_decode(const Round& round, const Verification& verification, double tokens,
                            Cost& cost);

/// Plain time per token over that with speculation, for the request itself. Alone and with full
/// coverage this is E[tokens per step] / (draft cost + r(γ+1)).
double speculation_gain(const Round& round, const Verification& verification);

/// Share by which a round with a verification is longer than one with a plain token.
double speculation_slowdown(const Round& round, const Verification& verification);

/// Time until a stream is free for the last of `queued` sequences (the request included) when all
/// `streams` decode outputs like the request's, `tokens` in rounds of `round_ms`.
double queue_wait_ms(double queued, double streams, double tokens, double round_ms);

/// Tokens that one verification of γ drafted tokens is expected to emit:
/// (1 − α^(γ+1)) / (1 − α) (Leviathan et al. 2023, eq. 1).
double expected_tokens(double alpha, std::int32_t draft_tokens);

}  // namespace switchyard::router
