#include "scheduler/scheduler.h"

#include <algorithm>
#include <utility>

#include "scheduler/require.h"

namespace switchyard::scheduler {

Scheduler::Scheduler(const Options& options, const std::vector<core::LaneInfo>& lanes)
    : options_(options), virtual_time_(lanes.size(), 0) {
  lanes_.reserve(lanes.size());
  const std::uint64_t store_bytes =
      options_.prefix_store_bytes / std::max<std::size_t>(1, lanes.size());
  for (const core::LaneInfo& info : lanes) {
    lanes_.emplace_back(static_cast<core::LaneId>(lanes_.size()), info, options_, store_bytes);
  }
}

Result<void> Scheduler::add(std::shared_ptr<const core::Request> request) {
  const core::LaneId lane = request->lane;
  require(lane >= 0 && lane < std::ssize(lanes_), "unknown lane");
  const bool was_active = lanes_[lane].has_work();
  Result<void> added = lanes_[lane].add(std::move(request));
  if (!was_active) virtual_time_[lane] = std::max(virtual_time_[lane], device_time_);
  return added;
}

bool Scheduler::cancel(core::RequestId id) {
  return std::any_of(lanes_.begin(), lanes_.end(),
                     [id](LaneScheduler& lane) { return lane.cancel(id); });
}

std::optional<core::BatchPlan> Scheduler::next_batch(core::TimePoint /*now*/) {
  require(!outstanding_, "next_batch() before on_step()");
  for (core::LaneId i = 0; i < std::ssize(lanes_); ++i) {
    if (!lanes_[i].has_work()) continue;
    if (!outstanding_ || virtual_time_[i] < virtual_time_[*outstanding_]) outstanding_ = i;
  }
  if (!outstanding_) return std::nullopt;
  device_time_ = virtual_time_[*outstanding_];
  const std::int32_t budget = any_decoding()
                                  ? options_.max_step_tokens
                                  : std::max(options_.max_prefill_tokens, options_.max_step_tokens);
  return lanes_[*outstanding_].plan(budget);
}

StepReport Scheduler::on_step(const core::StepResult& result) {
  require(outstanding_.has_value(), "on_step() without a plan");
  const core::LaneId lane = *outstanding_;
  StepReport report;
  const std::int32_t evaluated = lanes_[lane].on_step(result, report.ended);
  virtual_time_[lane] += evaluated + options_.step_overhead_tokens;
  outstanding_.reset();
  return report;
}

std::vector<core::RequestId> Scheduler::expire_waiting(core::TimePoint deadline) {
  std::vector<core::RequestId> expired;
  for (LaneScheduler& lane : lanes_) lane.expire_waiting(deadline, expired);
  return expired;
}

std::size_t Scheduler::waiting() const {
  std::size_t waiting = 0;
  for (const LaneScheduler& lane : lanes_) waiting += lane.waiting();
  return waiting;
}

bool Scheduler::idle() const {
  return std::none_of(lanes_.begin(), lanes_.end(),
                      [](const LaneScheduler& lane) { return lane.has_work(); });
}

bool Scheduler::any_decoding() const {
  return std::any_of(lanes_.begin(), lanes_.end(),
                     [](const LaneScheduler& lane) { return lane.is_decoding(); });
}

}  // namespace switchyard::scheduler
