#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "core/batch.h"
#include "core/lane.h"
#include "core/request.h"
#include "core/types.h"
#include "scheduler/lane_scheduler.h"
#include "scheduler/options.h"

namespace switchyard::scheduler {

struct StepReport {
  std::vector<Ended> ended;  ///< in plan order; each request is reported once, cancelled ones never
};

/// Decides what each step of a device computes: which lane, which sequences, how many tokens. Pure:
/// no clock, lock or I/O. Not thread safe; one plan is outstanding at a time.
///
/// Lanes share the device fairly by tokens: each has a virtual time that grows by the tokens it
/// processed (plus Options::step_overhead_tokens per step), and the lane with work whose virtual
/// time is least steps next. A lane that becomes active starts no earlier than the device's virtual
/// time, so idleness earns no credit (start-time fair queueing, Goyal et al. 1996). While two lanes
/// have work, their charges differ by at most the largest charge of one step.
class Scheduler {
 public:
  Scheduler(const Options& options, const std::vector<core::LaneInfo>& lanes);

  /// Queues the request on its lane. kContextLengthExceeded, with both counts, if it can never fit.
  /// Preconditions: known lane; unique id; not empty.
  Result<void> add(std::shared_ptr<const core::Request> request);

  /// Waiting or running: gone at once, its stream is free for the next plan. False if unknown.
  /// Allowed while a plan is outstanding: what the step samples for it is dropped.
  bool cancel(core::RequestId id);

  /// The next step, or nothing to do. Precondition: on_step() was called for the last plan. The
  /// order of the queue is settled on arrival; a policy with a wait limit will look at the time.
  std::optional<core::BatchPlan> next_batch(core::TimePoint now);

  /// Ends the outstanding plan. kOk: advances its sequences. kFailed: all of them end with kError.
  /// kAborted: nothing has happened, the same sequences are planned again, those that were to start
  /// without a cached prefix.
  StepReport on_step(const core::StepResult& result);

  /// Removes and returns the requests that arrived before `deadline` and still wait.
  std::vector<core::RequestId> expire_waiting(core::TimePoint deadline);

  LaneLoad load(core::LaneId lane) const { return lanes_[lane].load(); }
  std::size_t waiting() const;
  bool idle() const;

 private:
  bool any_decoding() const;

  const Options options_;
  std::vector<LaneScheduler> lanes_;
  std::vector<std::int64_t> virtual_time_;  ///< by lane, in tokens
  std::int64_t device_time_ = 0;            ///< virtual time at which the last step started
  std::optional<core::LaneId> outstanding_;
};

}  // namespace switchyard::scheduler
