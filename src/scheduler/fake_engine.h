#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/batch.h"
#include "core/lane.h"
#include "core/request.h"
#include "scheduler/options.h"

namespace switchyard::scheduler {

/// For tests: the KV streams an engine would hold, and every rule a plan must obey to be executed
/// on them. The first broken rule is kept in `error()`.
class FakeEngine {
 public:
  FakeEngine(Options options, std::vector<core::LaneInfo> lanes);

  /// Chooses the next token; `n_generated` counts from 0. Negative ends the generation.
  using Sampler = std::function<core::TokenId(const core::Request&, int n_generated)>;
  core::StepResult step(const core::BatchPlan& plan, const Sampler& sampler);
  /// As if the engine broke in the middle of the plan: its streams then hold garbage.
  core::StepResult fail(const core::BatchPlan& plan);

  /// The engine finds no memory for saves while this is set.
  void lose_saves(bool lose) { lose_saves_ = lose; }

  /// The sequence has ended or was cancelled: its stream may be given to another.
  void finish(core::RequestId request);

  const std::string& error() const { return error_; }
  const std::vector<core::RequestId>& started() const { return started_; }  ///< in plan order

 private:
  struct Stream {
    std::vector<core::TokenId> tokens;
    std::shared_ptr<const core::Request> request;
    int generated = 0;
    core::TokenId last_token = 0;
  };
  struct Lane {
    core::LaneInfo info;
    std::vector<Stream> streams;
    std::map<core::PrefixId, std::vector<core::TokenId>> stored;
  };

  static bool is_pooled(const Lane& lane) {
    return lane.info.pool_capacity_tokens <
           std::int64_t{lane.info.n_streams} * lane.info.stream_capacity_tokens;
  }
  void check(bool condition, const std::string& rule);
  void begin(Lane& lane, const core::BatchPlan& plan);
  void save(Lane& lane, const core::PrefixSave& save);
  void move(Lane& lane, const core::StreamMove& move);
  void load(Lane& lane, const core::SequenceStart& start);
  void start(Lane& lane, const core::SequenceStart& start);
  void evaluate(Lane& lane, const core::StreamTokens& planned, const Sampler& sampler,
                core::StepResult& result);
  void check_padding(const Lane& lane, const core::StreamTokens& planned);
  void check_budget(const Lane& lane, const core::BatchPlan& plan);
  void check_memory(const Lane& lane);
  void check_store(const Lane& lane);

  Options options_;
  bool lose_saves_ = false;
  std::vector<Lane> lanes_;
  std::vector<core::RequestId> started_;
  std::string error_;
};

}  // namespace switchyard::scheduler
