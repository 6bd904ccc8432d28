#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace switchyard::calibration {

/// Time of verifying n tokens of one sequence in one pass, over the time of one token.
struct VerifyRatio {
  std::int32_t tokens = 1;
  double ratio = 1;
};

/// What one set of weights costs on one machine. Plain data; the functions below evaluate it
/// without allocating. All times in milliseconds; a context is the number of tokens of the sequence
/// that are in KV memory before the step.
struct ModeCosts {
  std::string mode;  ///< as in core::LaneInfo: "bf16", "q8_0", …

  /// Fit of the prefill of n tokens behind c others, evaluated alone in chunks:
  ///   Σ over the chunks of (pass + tokens before the chunk × pass_context)
  ///   + n × token + n × (c + n/2) × attention
  double prefill_pass_ms = 0;
  double prefill_pass_context_ms = 0;
  double prefill_token_ms = 0;
  double prefill_attention_ms = 0;
  std::int32_t prefill_chunk_tokens = 512;

  /// One decode step of `batch` sequences that each have `context` tokens: measured points, both
  /// axes ascending and not empty; decode_table_ms[batch index × contexts + context index].
  std::vector<std::int32_t> decode_batches;
  std::vector<std::int32_t> decode_contexts;
  std::vector<double> decode_table_ms;

  std::vector<VerifyRatio> verify_ratios;  ///< tokens ascending, the first is {1, 1}

  /// Copying a cached prefix into a stream: fixed + tokens × token. Empty: unknown.
  std::optional<double> restore_fixed_ms;
  std::optional<double> restore_token_ms;

  std::optional<double> prefill_watts;  ///< mean power while prefilling. Empty: unknown
  std::optional<double> decode_watts;   ///< the same while decoding

  std::uint64_t weights_bytes = 0;
  std::uint64_t kv_bytes_per_token = 0;
  double load_seconds = 0;

  double fit_error = 0;      ///< largest relative error of the prefill fit at a measured point
  double restore_error = 0;  ///< the same of the restore fit
  double spread = 0;         ///< largest relative interquartile range among the measured points
};

/// Where a calibration is valid. A calibration is used only if all of it is equal.
struct Identity {
  std::string model = {};        ///< SHA-256 of the model file's content, or the simulated profile
  std::string version = {};      ///< switchyard's
  std::string engine = {};       ///< e.g. "llama.cpp de3ff815ea7d"
  std::string build_flags = {};  ///< of the engine's kernels; empty = unknown
  std::string devices = {};      ///< accelerators the engine uses, by name; empty = none
  std::string cpu = {};          ///< model name
  std::int32_t cores = 0;
  std::uint64_t memory_bytes = 0;
  std::int32_t threads = 0;  ///< as configured; 0 = one per core

  bool operator==(const Identity&) const = default;
};

struct Calibration {
  Identity identity;
  std::string created;           ///< RFC 3339, UTC; empty for a preset
  std::string label;             ///< "measured", or what a preset is derived from
  std::vector<ModeCosts> modes;  ///< the reference first
};

/// Null if there is no such mode.
const ModeCosts* find_mode(const Calibration& calibration, std::string_view mode);

/// Time until the first token of a prompt of `new_tokens` behind `context` tokens that are already
/// in KV memory. 0 for 0 tokens.
double prefill_ms(const ModeCosts& costs, double new_tokens, double context);

/// What the coefficients of ModeCosts's prefill formula are multiplied by, in their order: pass,
/// pass_context, token, attention.
std::array<double, 4> prefill_terms(double new_tokens, double context, double chunk_tokens);

/// One decode step: bilinear between the measured points, continued linearly outside, never
/// negative. Precondition: the table is not empty.
double decode_ms(const ModeCosts& costs, double batch, double context);

/// One step that verifies `tokens` tokens of one sequence alone: r(tokens) × decode_ms(1, context).
double verify_ms(const ModeCosts& costs, double tokens, double context);

/// r(tokens): linear between the measured points and beyond the last. 1 if nothing was measured.
double verify_ratio(const ModeCosts& costs, double tokens);

/// Empty: unknown.
std::optional<double> restore_ms(const ModeCosts& costs, double tokens);

}  // namespace switchyard::calibration
