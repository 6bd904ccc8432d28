#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "core/batch.h"
#include "core/lane.h"
#include "core/request.h"
#include "scheduler/options.h"
#include "scheduler/stream_table.h"
#include "scheduler/waiting_queue.h"

namespace switchyard::scheduler {

/// A sequence that has ended by itself: kStop (end of generation), kLength or kError.
struct Ended {
  core::RequestId request = 0;
  core::FinishReason reason = core::FinishReason::kNone;
};

struct LaneLoad {
  std::int32_t running = 0;
  std::int32_t waiting = 0;
  std::int64_t used_tokens = 0;  ///< in the KV memory of running sequences
  std::int64_t pool_capacity_tokens = 0;
  std::uint64_t stored_prefix_bytes = 0;  ///< in host memory
};

/// One lane's sequences: waiting → prefilling → decoding → ended. A state machine without clock,
/// lock or I/O; not thread safe.
///
/// A plan is one step: a token for every decoding sequence, then prompt chunks in order of
/// admission (the earliest is finished first, what it leaves of the budget goes to the next), then
/// newly admitted prompts. Waiting requests are admitted in the queue's order when there is budget
/// for their first chunk, a free stream, and room for prompt + max_tokens in the pool; the head
/// blocks those behind it.
class LaneScheduler {
 public:
  LaneScheduler(core::LaneId lane, const core::LaneInfo& info, const Options& options,
                std::uint64_t prefix_store_bytes);

  /// kContextLengthExceeded if prompt + max_tokens can never fit.
  Result<void> add(std::shared_ptr<const core::Request> request);
  bool cancel(core::RequestId id);
  void expire_waiting(core::TimePoint deadline, std::vector<core::RequestId>& expired) {
    waiting_.expire(deadline, expired);
  }

  bool has_work() const { return running_ > 0 || !waiting_.empty(); }
  bool is_decoding() const { return n_decoding() > 0; }
  std::size_t waiting() const { return waiting_.size(); }
  LaneLoad load() const;

  /// Precondition: has_work(), and no plan of this lane is outstanding.
  core::BatchPlan plan(std::int32_t step_budget);
  /// Ends the outstanding plan; appends the sequences that ended with it. Returns the tokens that
  /// were evaluated for requests.
  std::int32_t on_step(const core::StepResult& result, std::vector<Ended>& ended);

 private:
  struct Sequence {
    std::shared_ptr<const core::Request> request;  ///< null: the stream is free
    std::int32_t generated = 0;
    core::TokenId last_token = 0;  ///< sampled, not yet evaluated
    core::PrefixSource source;     ///< of the prompt's first tokens, until started
    bool started = false;          ///< the engine has prepared the stream and evaluated a chunk
  };
  /// What the outstanding plan holds for a stream; request 0 is padding.
  struct Planned {
    core::StreamId stream = 0;
    core::RequestId request = 0;
    std::int32_t n_tokens = 0;
    bool sample = false;
  };

  std::int32_t n_decoding() const {
    return running_ - static_cast<std::int32_t>(prefilling_.size());
  }
  std::int32_t prompt_left(core::StreamId stream) const;
  std::int32_t min_chunk_tokens() const {
    return std::max(options_.min_chunk_tokens, info_.prefill_tile_tokens);
  }
  std::int32_t chunk_tokens(std::int32_t left, std::int32_t budget) const;
  double cost_left_for_prefill() const;
  core::Duration handicap(const core::Request& request) const;
  void plan_prefill(std::int32_t budget);
  bool has_room() const;
  bool worth_starting(const StreamTable::Choice& choice, std::int32_t budget) const;
  bool is_being_computed(std::int32_t more_than_tokens) const;
  core::StreamId admit(const StreamTable::Choice& choice);
  void close_gap();
  void bridge_gaps();
  core::BatchPlan emit_plan();
  core::StreamTokens emit_tokens(core::StreamId stream, std::int32_t n_tokens) const;
  void advance(const Planned& planned, const core::SampledToken* sampled,
               std::vector<Ended>& ended);
  void restart_admitted();
  void fail_planned(std::vector<Ended>& ended);
  void end(core::StreamId stream);

  const core::LaneId lane_;
  const core::LaneInfo info_;
  const Options options_;
  WaitingQueue waiting_;
  StreamTable streams_;
  std::vector<Sequence> sequences_;         ///< by stream
  std::vector<core::StreamId> prefilling_;  ///< in order of admission
  std::int32_t running_ = 0;
  std::int32_t deferred_steps_ = 0;       ///< in a row, with prefill put off
  double seconds_per_token_ = 0;          ///< of steps, a moving average
  std::int64_t reserved_tokens_ = 0;      ///< prompt + max_tokens of running sequences
  std::vector<core::StreamMove> moves_;   ///< by the plan being made
  std::vector<core::StreamId> admitted_;  ///< by the plan being made, in order
  std::vector<std::int32_t> counts_;      ///< by stream: tokens in the plan being made
  std::vector<Planned> planned_;          ///< the outstanding plan; empty if there is none
};

}  // namespace switchyard::scheduler
