#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/batch.h"
#include "core/lane.h"
#include "engine/llama/handles.h"
#include "engine/llama/kv_store.h"
#include "engine/llama/stream_sampler.h"
#include "engine/passes.h"

namespace switchyard::engine {

struct LaneOptions {
  std::string mode;
  std::string weights_path;
  std::int32_t n_streams = 0;
  std::int32_t stream_capacity_tokens = 0;
  std::int32_t max_batch_tokens = 0;
  std::int32_t threads = 0;
  bool flash_attention = true;
  std::uint64_t kv_bytes = 0;                  ///< of all streams
  ggml_threadpool* pool = nullptr;             ///< not owned; outlives the lane
  const std::atomic<bool>* aborted = nullptr;  ///< as `pool`
};

/// One set of weights, its context with one KV stream per sequence, and the streams' samplers.
/// Not thread safe.
class LlamaLane {
 public:
  /// `progress` gets 0 … 1. Error: kIo, naming the weights file.
  static Result<std::unique_ptr<LlamaLane>> load(const LaneOptions& options,
                                                 const std::function<void(float)>& progress);
  ~LlamaLane();

  const core::LaneInfo& info() const { return info_; }
  const llama_model& model() const { return *model_; }

  /// The model's end-of-generation tokens, needed before the first step; must outlive the lane.
  void set_end_tokens(std::span<const core::TokenId> tokens) { end_tokens_ = tokens; }
  core::StepResult step(const core::BatchPlan& plan);

 private:
  struct Batch;

  LlamaLane(const LaneOptions& options, ModelHandle model, ContextHandle context);

  Result<void> warm_up();
  Result<void> check(const core::BatchPlan& plan) const;
  Result<void> start(const core::SequenceStart& start);
  bool load_source(const core::SequenceStart& start);
  /// Evaluates one pass and samples the streams that it completes. llama_decode()'s code.
  int evaluate(const core::BatchPlan& plan, const Pass& pass, core::StepResult& result);
  std::int32_t fill_tokens(const core::BatchPlan& plan, const Pass& pass) const;
  void cut(core::StreamId stream, std::int32_t keep_tokens);
  /// Leaves the streams of the plan as they were before it, after a decode that failed midway.
  void cut_back(const core::BatchPlan& plan);

  core::LaneInfo info_;
  std::int32_t max_batch_tokens_;
  ModelHandle model_;
  ContextHandle context_;
  std::unique_ptr<Batch> batch_;
  std::span<const core::TokenId> end_tokens_;
  std::vector<std::unique_ptr<StreamSampler>> samplers_;  ///< by stream
  std::vector<core::SampledToken> sampled_;               ///< of the step, by entry of the plan
  CandidateBuffer candidates_;
  std::unique_ptr<KvStore> store_;
};

}  // namespace switchyard::engine
