#include "engine/llama/llama_engine.h"

#include <common.h>
#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#include "engine/llama/gguf_file.h"
#include "engine/llama/llama_lane.h"
#include "engine/llama/llama_tokenizer.h"
#include "engine/llama/log_capture.h"
#include "engine/llama/memory_budget.h"
#include "engine/llama/modes.h"
#include "engine/llama/weights_cache.h"

namespace switchyard::engine {
namespace {

constexpr std::int32_t kDefaultContextTokens = 2048;
constexpr std::int32_t kKvPadTokens = 256;  // llama.cpp rounds a stream up to this
constexpr std::uint64_t kWorkBytes = 64 << 20;

class LlamaEngine final : public Engine {
 public:
  const Tokenizer& tokenizer() const override { return *tokenizer_; }
  std::span<const core::LaneInfo> lanes() const override { return infos_; }
  core::StepResult step(const core::BatchPlan& plan) override;
  void abort() noexcept override { aborted_.store(true, std::memory_order_relaxed); }

  Result<void> load(const LlamaOptions& options, const std::vector<LaneOptions>& lanes,
                    const std::function<void(float)>& progress);

 private:
  std::atomic<bool> aborted_{false};
  ThreadPoolHandle pool_;  ///< shared by the lanes, which run one at a time
  std::vector<std::unique_ptr<LlamaLane>> lanes_;
  std::vector<core::LaneInfo> infos_;
  std::optional<LlamaTokenizer> tokenizer_;
};

core::StepResult LlamaEngine::step(const core::BatchPlan& plan) {
  core::StepResult result;
  result.lane = plan.lane;
  if (aborted_.load(std::memory_order_relaxed)) {
    result.status = core::StepStatus::kAborted;
    return result;
  }
  if (plan.lane < 0 || plan.lane >= static_cast<core::LaneId>(lanes_.size())) {
    result.status = core::StepStatus::kFailed;
    result.error = fmt::format("plan for unknown lane {}", plan.lane);
    return result;
  }
  return lanes_[static_cast<std::size_t>(plan.lane)]->step(plan);
}

Result<void> LlamaEngine::load(const LlamaOptions& options, const std::vector<LaneOptions>& lanes,
                               const std::function<void(float)>& progress) {
  ggml_threadpool_params pool = ggml_threadpool_params_default(lanes.front().threads);
  pool.poll = static_cast<std::uint32_t>(options.poll);
  pool_.reset(ggml_threadpool_new(&pool));
  for (LaneOptions lane_options : lanes) {
    lane_options.pool = pool_.get();
    lane_options.aborted = &aborted_;
    auto lane = LlamaLane::load(lane_options, [&](float done) {
      progress((static_cast<float>(lanes_.size()) + done) / static_cast<float>(lanes.size()));
    });
    if (!lane) return lane.error();
    infos_.push_back((*lane)->info());
    lanes_.push_back(*std::move(lane));
  }
  tokenizer_.emplace(lanes_.front()->model());
  for (auto& lane : lanes_) lane->set_end_tokens(tokenizer_->end_of_generation_tokens());
  return {};
}

Result<void> check_ranges(const LlamaOptions& options) {
  const auto refuse = [](std::string what, const char* param) {
    return Error{ErrorCode::kUsage, std::move(what), param};
  };
  const auto most = static_cast<std::int32_t>(llama_max_parallel_sequences());
  if (options.max_sequences < 1 || options.max_sequences > most) {
    return refuse(fmt::format("sequences per lane must be 1 to {}", most), "max-sequences");
  }
  if (options.context_tokens < 0) return refuse("the context must be 0 or more", "context");
  if (options.max_batch_tokens < options.max_sequences) {
    return refuse("a step must hold a token of each sequence", "max-batch-tokens");
  }
  if (options.threads < 0 || options.threads > GGML_MAX_N_THREADS) {
    return refuse(fmt::format("threads must be 0 to {}", GGML_MAX_N_THREADS), "threads");
  }
  if (options.poll < 0 || options.poll > 100) return refuse("poll must be 0 to 100", "poll");
  return {};
}

std::int32_t context_of(const LlamaOptions& options, const GgufFile& file) {
  if (options.context_tokens > 0) return options.context_tokens;
  const auto trained = static_cast<std::int32_t>(
      std::min<std::int64_t>(file.training_context_tokens, kDefaultContextTokens));
  return trained > 0 ? trained : kDefaultContextTokens;
}

std::uint64_t kv_bytes(const LlamaOptions& options, const GgufFile& file) {
  const auto context = static_cast<std::uint64_t>(context_of(options, file));
  const std::uint64_t padded = (context + kKvPadTokens - 1) / kKvPadTokens * kKvPadTokens;
  return padded * static_cast<std::uint64_t>(options.max_sequences) * file.kv_bytes_per_token;
}

/// Refuses what would make the kernel kill this or another process, before allocating any of it.
Result<void> check_memory(const LlamaOptions& options, const GgufFile& file,
                          const std::vector<Mode>& modes) {
  const auto available = available_memory();
  if (!available) return {};
  std::uint64_t needed = options.prefix_store_bytes;
  for (const Mode& mode : modes) {
    const auto rows = static_cast<std::uint64_t>(options.max_sequences * file.vocabulary_size);
    const auto repacked =
        static_cast<std::uint64_t>(static_cast<double>(file.parameters) * mode.bits_per_weight / 8);
    needed += kv_bytes(options, file) + 2 * rows * sizeof(float) + kWorkBytes +
              (mode.full_precision ? 0 : repacked);
  }
  if (needed <= *available) return {};
  return Error{ErrorCode::kIo,
               fmt::format("a context of {} tokens for {} sequences on {} lanes needs {} bytes of "
                           "memory, {} bytes are available",
                           context_of(options, file), options.max_sequences, modes.size(), needed,
                           *available),
               "context"};
}

Result<void> check_context(const LlamaOptions& options, const GgufFile& file) {
  const std::int64_t trained = file.training_context_tokens;
  if (trained > 0 && options.context_tokens > trained) {
    return Error{ErrorCode::kUsage,
                 fmt::format("a context of {} tokens is more than the {} the model was trained for",
                             options.context_tokens, trained),
                 "context"};
  }
  return {};
}

std::int32_t thread_count(const LlamaOptions& options) {
  if (options.threads > 0) return options.threads;
  const auto usable = static_cast<std::int32_t>(std::thread::hardware_concurrency());
  return std::max(1, std::min(common_cpu_get_num_physical_cores(), usable));
}

/// Finds or derives every lane's weights.
Result<std::vector<LaneOptions>> prepare_lanes(const LlamaOptions& options,
                                               const SourceModel& source,
                                               const std::vector<Mode>& modes,
                                               const std::function<void(float)>& progress) {
  std::vector<LaneOptions> lanes;
  WeightsCache cache(source, options.cache_dir);
  DeriveControl control;
  control.progress = [&](float done) {
    progress((static_cast<float>(lanes.size()) + done) / static_cast<float>(modes.size()));
  };
  for (const Mode& mode : modes) {
    auto weights = cache.weights_for(mode, control);
    if (!weights) return weights.error();
    LaneOptions lane;
    lane.mode = mode.name;
    lane.weights_path = std::move(weights->path);
    lane.n_streams = options.max_sequences;
    lane.stream_capacity_tokens = context_of(options, source.file);
    lane.max_batch_tokens = options.max_batch_tokens;
    lane.threads = thread_count(options);
    lane.flash_attention = options.flash_attention;
    lane.kv_bytes = kv_bytes(options, source.file);
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

}  // namespace

Result<std::unique_ptr<Engine>> load_llama_engine(const LlamaOptions& options,
                                                  const std::function<void(float)>& progress) {
  capture_llama_log();
  if (auto checked = check_ranges(options); !checked) return checked.error();
  const auto modes = resolve_modes(options.modes);
  if (!modes) return modes.error();
  auto file = inspect_gguf(options.model_path);
  if (!file) return file.error();
  if (auto fits = check_memory(options, *file, *modes); !fits) return fits.error();
  if (auto fits = check_context(options, *file); !fits) return fits.error();

  const auto report = [&](float from, float share) {
    return [&progress, from, share](float done) {
      if (progress) progress(from + share * done);
    };
  };
  const auto lanes = prepare_lanes(options, {options.model_path, *file}, *modes, report(0, 0.7F));
  if (!lanes) return lanes.error();
  auto engine = std::make_unique<LlamaEngine>();
  if (auto loaded = engine->load(options, *lanes, report(0.7F, 0.3F)); !loaded) {
    return loaded.error();
  }
  return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace switchyard::engine
