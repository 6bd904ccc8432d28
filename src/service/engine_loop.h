#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/bounded_queue.h"
#include "core/batch.h"
#include "engine/engine.h"
#include "metrics/metrics.h"
#include "scheduler/scheduler.h"
#include "service/generation_state.h"
#include "service/load_counter.h"
#include "service/text_assembler.h"

namespace switchyard::service {

/// A client request on its way to the engine thread: one core::Request per choice.
struct Submission {
  std::shared_ptr<GenerationState> state;
  std::vector<std::shared_ptr<const core::Request>> choices;
  std::vector<std::string> stop;
};

/// The reader left: whatever of these still waits or runs ends now.
struct Cancellation {
  std::vector<core::RequestId> requests;
};

/// Submissions that are admitted together arrive together.
using Message = std::variant<std::vector<Submission>, Cancellation>;
using Mailbox = BoundedQueue<Message>;

/// The engine thread: mailbox → scheduler → engine → deltas, until the mailbox is closed.
/// Everything here belongs to that one thread.
class EngineLoop {
 public:
  struct Options {
    double queue_timeout_seconds = 0;  ///< 0 = none
    scheduler::Options scheduler;
  };

  EngineLoop(Options options, engine::Engine& engine, metrics::Metrics& metrics, Mailbox& mailbox,
             std::span<LoadCounter> load);

  /// Runs until the mailbox is closed; then ends what is left with kCancelled.
  void run();

 private:
  /// What all choices of one client request share.
  struct Client {
    std::shared_ptr<GenerationState> state;
    std::vector<std::string> stop;
    std::int32_t open_choices = 0;
    core::TimePoint arrival;
    metrics::RequestOutcome outcome;
  };

  /// Waits until the first byte of its token is released.
  struct HeldLogprob {
    std::size_t first_byte = 0;
    TokenLogprobText logprob;
  };

  struct Sequence {
    std::shared_ptr<Client> client;
    std::shared_ptr<const core::Request> request;
    std::int32_t choice = 0;
    TextAssembler text;
    core::TimePoint last_token;
    std::size_t bytes = 0;                   ///< of all tokens so far
    std::vector<HeldLogprob> held_logprobs;  ///< of tokens whose text is held back
    Delta delta;                             ///< of the step being processed
    std::int64_t sampled = 0;                ///< tokens in `delta`
  };

  void handle(std::vector<Submission> submissions);
  void add(Submission submission);
  void handle(const Cancellation& cancellation);
  void expire_waiting(core::TimePoint now);
  void step(const core::BatchPlan& plan, core::TimePoint planned_at);
  void note_starts(const core::BatchPlan& plan, core::TimePoint now);
  void take_token(const core::SampledToken& token, core::TimePoint now);
  void end(core::RequestId id, core::FinishReason reason, std::optional<Error> error);
  static void release_logprobs(Sequence& sequence, std::size_t released_bytes);
  void publish(Sequence& sequence);
  void publish_load();
  metrics::StepOutcome count_tokens(const core::BatchPlan& plan) const;
  TokenLogprobText logprob_text(const core::SampledToken& token) const;

  Options options_;
  engine::Engine& engine_;
  metrics::Metrics& metrics_;
  Mailbox& mailbox_;
  std::span<LoadCounter> load_;  ///< by lane
  scheduler::Scheduler scheduler_;
  std::unordered_map<core::RequestId, Sequence> sequences_;
};

}  // namespace switchyard::service
