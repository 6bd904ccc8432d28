#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/lane.h"
#include "core/request.h"
#include "engine/engine.h"
#include "scheduler/options.h"
#include "service/prompt_limit.h"

namespace switchyard::metrics {
class Metrics;
}

namespace switchyard::service {

/// A client request, tokenized and with every range settled.
struct GenerationRequest {
  core::LaneId lane = 0;
  std::vector<core::TokenId> prompt;
  std::int32_t max_tokens = 0;  ///< ≥ 1; clamped to what fits behind the prompt
  std::int32_t n = 1;           ///< choices; choice i is seeded with sampling.seed + i
  core::SamplingParams sampling;
  std::vector<std::string> stop;  ///< output ends before the first occurrence of any
  std::string cache_salt;         ///< see core::Request
  bool stream = false;            ///< wake the reader per step rather than once at the end
};

struct TokenLogprobText {
  std::string token;  ///< the token's bytes (may be part of a UTF-8 character)
  float logprob = 0.0F;
  std::vector<std::pair<std::string, float>> top;
};

/// Part of one choice's output. Joined in order, `text` is the whole answer: valid UTF-8, ending
/// before any stop string.
struct Delta {
  std::int32_t choice = 0;
  std::string text;
  std::vector<TokenLogprobText> logprobs;                 ///< only if asked for
  core::FinishReason finish = core::FinishReason::kNone;  ///< set in the choice's last delta
  std::optional<Error> error;                             ///< set exactly with kError
};

struct Usage {
  std::int64_t prompt_tokens = 0;      ///< the prompt counted once, whatever n
  std::int64_t completion_tokens = 0;  ///< sampled tokens of all choices, a final EOS included
  std::int64_t cached_tokens = 0;      ///< prompt tokens taken from a stream's KV, of choice 0
};

/// The reading end of a submitted request. Destroying it before `finished()` cancels what still
/// runs: streams and KV are free within one step. All methods from any one thread at a time.
class Generation {
 public:
  virtual ~Generation() = default;
  /// Deltas since the last call, without blocking; consecutive text of a choice is merged.
  virtual std::vector<Delta> take() = 0;
  /// Every choice's last delta has been taken.
  virtual bool finished() const = 0;
  /// Complete once finished().
  virtual Usage usage() const = 0;
};

struct Model {
  std::string id;  ///< "smollm2" (the reference lane) or "smollm2:q8_0"
  core::LaneId lane = 0;
};

struct ServiceOptions {
  std::string alias = "default";     ///< model name clients use; lanes are ALIAS and ALIAS:MODE
  std::int32_t queue_limit = 256;    ///< sequences of a lane that may wait; more get kQueueFull
  double queue_timeout_seconds = 0;  ///< longest wait for a stream before kQueueTimeout; 0 = none
  scheduler::Options scheduler;
};

/// Joins tokenizer, scheduler and engine: owns the engine thread. Thread safe.
///
/// Life: construct (state loading) → start(engine) → ready → begin_shutdown() → stopped.
class Service {
 public:
  Service(ServiceOptions options, metrics::Metrics& metrics);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  enum class State { kLoading, kReady, kStopping };

  /// Takes the loaded engine and starts the engine thread.
  void start(std::unique_ptr<engine::Engine> engine);
  State state() const;
  /// Why nothing is admitted now: kLoading or kShuttingDown; nullopt if the state is kReady.
  std::optional<Error> not_ready() const;

  /// Precondition for the next five: state() != kLoading.
  const engine::Tokenizer& tokenizer() const;
  const std::vector<Model>& models() const;
  Result<core::LaneId> find_model(std::string_view id) const;  ///< kModelNotFound names the choices
  const core::LaneInfo& lane(core::LaneId lane) const;
  PromptLimit prompt_limit(core::LaneId lane) const;

  /// In the order of the requests.
  using Generations = std::vector<std::unique_ptr<Generation>>;
  /// Admits or refuses all of `requests` at once, never blocks: kLoading, kShuttingDown,
  /// kQueueFull, kContextLengthExceeded. `wake` is called on the engine thread when one of them has
  /// something to take() (at most once until it is taken); it must not block nor call back into the
  /// service. Preconditions: at least one request; all of one lane.
  Result<Generations> submit(std::vector<GenerationRequest> requests,
                             const std::function<void()>& wake);

  /// Stop admitting; running and waiting requests go on. Idempotent.
  void begin_shutdown();
  /// Cancels what still runs, aborts the step in flight, joins the engine thread.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace switchyard::service
