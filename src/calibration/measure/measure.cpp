#include "calibration/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "calibration/measure/costs_from_points.h"
#include "calibration/measure/lane_probe.h"
#include "calibration/measure/measurement_plan.h"
#include "calibration/samples.h"

namespace switchyard::calibration {
namespace {

/// A sample is the mean of as many steps as take this long: below it timers are too coarse.
constexpr double kSampleMs = 2;
/// A visit goes on until it took this long: short steps are the noisy ones, and cheap to repeat.
constexpr double kVisitMs = 40;
/// Steps longer than this average out what disturbs them, and are most of the time it all takes: a
/// few visits are enough.
constexpr double kLongStepMs = 300;
constexpr std::int32_t kLongStepRounds = 3;
/// What a step costs beside its tokens, in tokens; for the progress bar only.
constexpr double kStepTokens = 16;
/// Shorter contexts leave no room for prefills of different lengths.
constexpr std::int32_t kLeastCapacityTokens = 128;

std::string name_of(What what) {
  switch (what) {
    case What::kPrefill:
      return "prefill";
    case What::kDecode:
      return "decode";
    case What::kVerify:
      return "verify";
    case What::kRestore:
      return "restore";
  }
  return {};
}

double effort(const Point& point) {
  return kStepTokens + static_cast<double>(point.batch * point.tokens);
}

/// One target: its streams, and the samples of the phase that is running.
struct Subject {
  Target target;
  LaneProbe probe;
  MeasurementPlan plan;
  std::vector<std::vector<double>> samples = {};  ///< by point of the phase
  std::vector<TimedPoint> done = {};
};

class Measuring {
 public:
  Measuring(std::span<const Target> targets, const MeasureOptions& options) : options_(options) {
    for (const Target& target : targets) {
      LaneProbe probe(*target.engine, target.lane);
      const core::LaneInfo& info = probe.info();
      subjects_.push_back({target, probe,
                           plan_measurements({.streams = info.n_streams,
                                              .capacity_tokens = info.stream_capacity_tokens,
                                              .chunk_tokens = options.chunk_tokens})});
      total_effort_ += effort_of(subjects_.back());
    }
  }

  Result<void> run() {
    for (Subject& subject : subjects_) {
      if (auto filled = fill(subject); !filled) return filled;
    }
    for (std::size_t phase = 0; phase < subjects_.front().plan.phases.size(); ++phase) {
      if (auto measured = run_phase(phase); !measured) return measured;
    }
    return {};
  }

  Measured result() const {
    Measured measured;
    for (const Subject& subject : subjects_) {
      const core::LaneInfo& info = subject.probe.info();
      ModeCosts costs;
      costs.mode = info.mode;
      costs.weights_bytes = info.weights_bytes;
      costs.kv_bytes_per_token = info.kv_bytes / static_cast<std::uint64_t>(std::max<std::int64_t>(
                                                     1, info.pool_capacity_tokens));
      costs.load_seconds = subject.target.load_seconds;
      set_costs(subject.done, subject.plan.chunk_tokens, costs);
      measured.costs.push_back(std::move(costs));
      MeasuredMode& mode = measured.points.emplace_back(MeasuredMode{info.mode, {}});
      for (const TimedPoint& timed : subject.done) {
        mode.points.push_back({name_of(timed.point.what), timed.point.batch, timed.point.tokens,
                               timed.point.context, timed.ms.median, timed.ms.spread,
                               timed.ms.count});
      }
    }
    return measured;
  }

 private:
  double effort_of(const Subject& subject) const {
    double sum = subject.plan.phases.front().context;
    for (const Phase& phase : subject.plan.phases) {
      for (const Point& point : phase.points) sum += options_.rounds * effort(point);
    }
    return sum;
  }

  /// Adds to the progress; an error if the user wants no more.
  Result<void> advance(double effort) {
    done_effort_ += effort;
    options_.progress(done_effort_ / total_effort_);
    if (!options_.stopped()) return {};
    return Error{ErrorCode::kIo, "interrupted; a part of a calibration is of no use", ""};
  }

  Result<void> fill(Subject& subject) {
    const std::int32_t context = subject.plan.phases.front().context;
    auto filled = subject.probe.fill(context, subject.plan.chunk_tokens);
    return filled ? advance(context) : filled;
  }

  Result<void> run_phase(std::size_t phase) {
    for (Subject& subject : subjects_) {
      subject.samples.assign(subject.plan.phases[phase].points.size(), {});
    }
    for (std::int32_t round = 0; round < options_.rounds; ++round) {
      for (std::size_t i = 0; i < subjects_.size(); ++i) {
        Subject& subject = subjects_[(i + static_cast<std::size_t>(round)) % subjects_.size()];
        if (auto visited = visit(subject, phase, round); !visited) return visited;
      }
    }
    for (Subject& subject : subjects_) {
      const std::vector<Point>& points = subject.plan.phases[phase].points;
      for (std::size_t i = 0; i < points.size(); ++i) {
        subject.done.push_back({points[i], summarize(std::move(subject.samples[i]))});
      }
    }
    return {};
  }

  Result<void> visit(Subject& subject, std::size_t phase, std::int32_t round) {
    const std::vector<Point>& points = subject.plan.phases[phase].points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::vector<double>& samples = subject.samples[i];
      if (round < kLongStepRounds || samples.back() < kLongStepMs) {
        if (auto taken = take_samples(subject.probe, points[i], samples); !taken) return taken;
      }
      if (auto going = advance(effort(points[i])); !going) return going;
    }
    return {};
  }

  static Result<void> take_samples(LaneProbe& probe, const Point& point,
                                   std::vector<double>& samples) {
    const core::TimePoint began = core::Clock::now();
    while (core::to_ms(core::Clock::now() - began) < kVisitMs) {
      const auto sample = take_sample(probe, point);
      if (!sample) return sample.error();
      samples.push_back(*sample);
    }
    return {};
  }

  static Result<double> take_sample(LaneProbe& probe, const Point& point) {
    const core::TimePoint began = core::Clock::now();
    double sum = 0;
    int steps = 0;
    while (core::to_ms(core::Clock::now() - began) < kSampleMs) {
      const auto ms = probe.time(point);
      if (!ms) return ms;
      sum += *ms;
      ++steps;
    }
    return sum / steps;
  }

  const MeasureOptions& options_;
  std::vector<Subject> subjects_;
  double total_effort_ = 0;
  double done_effort_ = 0;
};

}  // namespace

Result<Measured> measure(std::span<const Target> targets, const MeasureOptions& options) {
  for (const Target& target : targets) {
    for (const core::LaneInfo& lane : target.engine->lanes()) {
      if (lane.stream_capacity_tokens >= kLeastCapacityTokens) continue;
      return Error{ErrorCode::kUsage,
                   fmt::format("a context of {} tokens is too short to calibrate, {} are needed",
                               lane.stream_capacity_tokens, kLeastCapacityTokens),
                   "max-model-len"};
    }
  }
  Measuring measuring(targets, options);
  if (auto ran = measuring.run(); !ran) return ran.error();
  return measuring.result();
}

}  // namespace switchyard::calibration
