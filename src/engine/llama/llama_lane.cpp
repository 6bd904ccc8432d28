#include "engine/llama/llama_lane.h"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <cassert>
#include <utility>
#include <variant>

#include "engine/llama/log_capture.h"

namespace switchyard::engine {
namespace {

constexpr int kDecodeAborted = 2;
/// GGML_FA_TILE_Q: rows of one stream that the CPU's tiled flash attention takes together.
constexpr std::int32_t kCpuTile = 64;
/// Fewer tokens than this are cheaper one by one than as a whole tile: compare the chunks of 47 and
/// of 64 tokens in benchmarks/pass_cost.
constexpr std::int32_t kWorthFilling = 48;

bool abort_requested(void* aborted) {
  return static_cast<const std::atomic<bool>*>(aborted)->load(std::memory_order_relaxed);
}

bool report_load(float fraction, void* progress) {
  (*static_cast<const std::function<void(float)>*>(progress))(fraction);
  return true;
}

Error load_error(const std::string& path, const std::string& what) {
  const std::string reason = first_llama_error();
  return {ErrorCode::kIo,
          fmt::format("model {}: {}{}{}", path, what, reason.empty() ? "" : ": ", reason), "model"};
}

ModelHandle load_model(const LaneOptions& options, std::function<void(float)> progress) {
  llama_model_params params = llama_model_default_params();
  params.load_mode = LLAMA_LOAD_MODE_MMAP;
  params.progress_callback = report_load;
  params.progress_callback_user_data = &progress;
  return ModelHandle(llama_model_load_from_file(options.weights_path.c_str(), params));
}

ContextHandle make_context(const LaneOptions& options, llama_model& model) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(options.n_streams) *
                 static_cast<std::uint32_t>(options.stream_capacity_tokens);
  params.n_batch = static_cast<std::uint32_t>(options.max_batch_tokens);
  params.n_ubatch = params.n_batch;
  params.n_seq_max = static_cast<std::uint32_t>(options.n_streams);
  params.n_outputs_max = params.n_seq_max;  // a row of logits is as wide as the vocabulary
  params.n_threads = options.threads;
  params.n_threads_batch = options.threads;
  params.flash_attn_type =
      options.flash_attention ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.abort_callback = abort_requested;
  params.abort_callback_data = const_cast<std::atomic<bool>*>(options.aborted);
  params.no_perf = true;
  params.swa_full = true;  // a kept prefix needs all its cells
  params.kv_unified = false;
  ContextHandle context(llama_init_from_model(&model, params));
  if (context) llama_attach_threadpool(context.get(), options.pool, options.pool);
  return context;
}

bool runs_on_cpu() {
  return ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_GPU) == nullptr &&
         ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_IGPU) == nullptr;
}

/// Models whose memory cannot be cut at a token, or that are no plain decoders.
bool is_supported(const llama_model& model) {
  return llama_model_has_decoder(&model) && !llama_model_has_encoder(&model) &&
         !llama_model_is_recurrent(&model) && !llama_model_is_hybrid(&model) &&
         !llama_model_is_diffusion(&model);
}

}  // namespace

/// The arrays of a llama_batch, sized once.
struct LlamaLane::Batch {
  explicit Batch(std::size_t capacity)
      : tokens(capacity),
        positions(capacity),
        sequence_counts(capacity, 1),
        sequences(capacity),
        sequence_pointers(capacity),
        outputs(capacity) {
    for (std::size_t i = 0; i < capacity; ++i) sequence_pointers[i] = &sequences[i];
  }

  void clear() { size = 0; }
  void add(llama_token token, llama_pos position, llama_seq_id stream, bool output) {
    const auto at = static_cast<std::size_t>(size++);
    tokens[at] = token;
    positions[at] = position;
    sequences[at] = stream;
    outputs[at] = output ? 1 : 0;
  }
  llama_batch view() {
    return {size,
            tokens.data(),
            nullptr,
            positions.data(),
            sequence_counts.data(),
            sequence_pointers.data(),
            outputs.data()};
  }

  std::int32_t size = 0;
  std::vector<llama_token> tokens;
  std::vector<llama_pos> positions;
  std::vector<std::int32_t> sequence_counts;
  std::vector<llama_seq_id> sequences;
  std::vector<llama_seq_id*> sequence_pointers;
  std::vector<std::int8_t> outputs;
};

Result<std::unique_ptr<LlamaLane>> LlamaLane::load(const LaneOptions& options,
                                                   const std::function<void(float)>& progress) {
  clear_llama_error();
  ModelHandle model = load_model(options, progress);
  if (!model) return load_error(options.weights_path, "cannot be loaded");
  if (!is_supported(*model)) {
    return load_error(options.weights_path, "is not a decoder-only attention model");
  }
  ContextHandle context = make_context(options, *model);
  if (!context) return load_error(options.weights_path, "no context could be made");
  auto lane =
      std::unique_ptr<LlamaLane>(new LlamaLane(options, std::move(model), std::move(context)));
  if (auto warm = lane->warm_up(); !warm) return warm.error();
  return lane;
}

LlamaLane::LlamaLane(const LaneOptions& options, ModelHandle model, ContextHandle context)
    : max_batch_tokens_(options.max_batch_tokens),
      model_(std::move(model)),
      context_(std::move(context)),
      batch_(std::make_unique<Batch>(static_cast<std::size_t>(options.max_batch_tokens))),
      samplers_(static_cast<std::size_t>(options.n_streams)),
      store_(std::make_unique<KvStore>(*context_)) {
  info_.mode = options.mode;
  info_.n_streams = options.n_streams;
  info_.stream_capacity_tokens = options.stream_capacity_tokens;
  info_.pool_capacity_tokens = std::int64_t{options.n_streams} * options.stream_capacity_tokens;
  info_.weights_bytes = llama_model_size(model_.get());
  info_.kv_bytes = options.kv_bytes;
  const auto cells = static_cast<std::uint64_t>(info_.pool_capacity_tokens);
  info_.stored_bytes_per_token = options.kv_bytes / cells + KvStore::kCellBytes;
  if (options.flash_attention && runs_on_cpu()) info_.prefill_tile_tokens = kCpuTile;
}

LlamaLane::~LlamaLane() = default;

/// The first decode maps the weights and settles the work buffers; do it before the first request.
Result<void> LlamaLane::warm_up() {
  const llama_token start = llama_vocab_bos(llama_model_get_vocab(model_.get()));
  batch_->clear();
  batch_->add(std::max(start, 0), 0, 0, true);
  clear_llama_error();
  if (llama_decode(context_.get(), batch_->view()) != 0) {
    return load_error(info_.mode, "the first evaluation failed");
  }
  llama_memory_clear(llama_get_memory(context_.get()), false);
  return {};
}

Result<void> LlamaLane::check(const core::BatchPlan& plan) const {
  const auto refuse = [](std::string why) {
    return Error{ErrorCode::kInternal, "plan refused: " + std::move(why), ""};
  };
  const auto is_known = [this](core::StreamId stream) {
    return stream >= 0 && stream < info_.n_streams;
  };
  for (const core::StreamId dropped : plan.drops) {
    if (!is_known(dropped)) return refuse(fmt::format("drop of unknown stream {}", dropped));
  }
  for (const core::PrefixSave& save : plan.saves) {
    if (!is_known(save.stream)) return refuse(fmt::format("save of stream {}", save.stream));
  }
  for (const core::StreamMove& move : plan.moves) {
    if (!is_known(move.from) || !is_known(move.to) || move.from == move.to) {
      return refuse(fmt::format("move of stream {} to {}", move.from, move.to));
    }
  }
  std::size_t tokens = 0;
  for (const core::StreamTokens& entry : plan.streams) {
    if (!is_known(entry.stream)) return refuse(fmt::format("unknown stream {}", entry.stream));
    if (entry.tokens.empty()) return refuse(fmt::format("no tokens for stream {}", entry.stream));
    tokens += entry.tokens.size();
  }
  if (tokens > static_cast<std::size_t>(max_batch_tokens_)) {
    return refuse(fmt::format("{} tokens, a step holds {}", tokens, max_batch_tokens_));
  }
  return {};
}

Result<void> LlamaLane::start(const core::SequenceStart& start) {
  if (start.stream < 0 || start.stream >= info_.n_streams || !start.request ||
      !load_source(start) ||
      !llama_memory_seq_rm(llama_get_memory(context_.get()), start.stream, start.keep_tokens, -1)) {
    return Error{ErrorCode::kInternal, fmt::format("stream {} cannot be started", start.stream),
                 ""};
  }
  samplers_[static_cast<std::size_t>(start.stream)] =
      std::make_unique<StreamSampler>(start.request, end_tokens_);
  return {};
}

/// Makes the stream hold at least the tokens that the start keeps.
bool LlamaLane::load_source(const core::SequenceStart& start) {
  if (const auto* other = std::get_if<core::OtherStream>(&start.source)) {
    if (other->stream < 0 || other->stream >= info_.n_streams) return false;
    return store_->copy(other->stream, start.stream);
  }
  const auto* stored = std::get_if<core::StoredPrefix>(&start.source);
  return !stored || store_->restore(stored->prefix, start.stream);
}

void LlamaLane::cut(core::StreamId stream, std::int32_t keep_tokens) {
  llama_memory_seq_rm(llama_get_memory(context_.get()), stream, keep_tokens, -1);
}

void LlamaLane::cut_back(const core::BatchPlan& plan) {
  for (const core::StreamTokens& entry : plan.streams) cut(entry.stream, entry.position);
}

// A chunk just below a tile is attended token by token, which costs more than filling the tile up
// with dummy tokens behind it. The dummies are never seen by an earlier token and are cut off
// again.
std::int32_t LlamaLane::fill_tokens(const core::BatchPlan& plan, const Pass& pass) const {
  const std::int32_t count = pass.front().count;
  const std::int32_t tile = info_.prefill_tile_tokens;
  if (pass.size() > 1 || count >= tile || count < kWorthFilling) return 0;
  const core::StreamTokens& entry = plan.streams[pass.front().entry];
  const bool fits = tile <= max_batch_tokens_ &&
                    entry.position + pass.front().first + tile <= info_.stream_capacity_tokens;
  return fits ? tile - count : 0;
}

int LlamaLane::evaluate(const core::BatchPlan& plan, const Pass& pass, core::StepResult& result) {
  const core::TimePoint began = core::Clock::now();
  const std::int32_t fill = fill_tokens(plan, pass);
  batch_->clear();
  for (const PassPart& part : pass) {
    const core::StreamTokens& entry = plan.streams[part.entry];
    const std::int32_t end = part.first + part.count;
    const bool completes = end == static_cast<std::int32_t>(entry.tokens.size());
    for (std::int32_t i = part.first; i < end; ++i) {
      batch_->add(entry.tokens[i], entry.position + i, entry.stream,
                  entry.sample && completes && i + 1 == end);
    }
    for (std::int32_t i = 0; i < fill; ++i) {
      batch_->add(entry.tokens.back(), entry.position + end + i, entry.stream, false);
    }
  }
  clear_llama_error();
  const int code = llama_decode(context_.get(), batch_->view());
  llama_synchronize(context_.get());
  const core::TimePoint evaluated = core::Clock::now();
  result.evaluate_seconds += core::to_seconds(evaluated - began);
  if (code != 0) return code;

  const auto vocabulary =
      static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model_.get())));
  std::int32_t at = 0;
  for (const PassPart& part : pass) {
    const core::StreamTokens& entry = plan.streams[part.entry];
    const std::int32_t end = part.first + part.count;
    at += part.count;
    if (entry.padding) cut(entry.stream, entry.position);
    if (fill > 0) cut(entry.stream, entry.position + end);
    if (!entry.sample || end < static_cast<std::int32_t>(entry.tokens.size())) continue;
    float* logits = llama_get_logits_ith(context_.get(), at - 1);
    auto& sampler = samplers_[static_cast<std::size_t>(entry.stream)];
    sampled_[part.entry] = sampler->sample({logits, vocabulary}, candidates_);
  }
  result.sample_seconds += core::to_seconds(core::Clock::now() - evaluated);
  return 0;
}

core::StepResult LlamaLane::step(const core::BatchPlan& plan) {
  core::StepResult result;
  result.lane = plan.lane;
  const auto fail = [&](std::string why) {
    result.status = core::StepStatus::kFailed;
    result.error = std::move(why);
    return result;
  };
  if (auto checked = check(plan); !checked) return fail(checked.error().message);
  for (const core::PrefixId evicted : plan.evictions) store_->remove(evicted);
  for (const core::PrefixSave& entry : plan.saves) {
    if (!store_->save(entry.prefix, entry.stream)) result.lost_saves.push_back(entry.prefix);
  }
  for (const core::StreamId dropped : plan.drops) cut(dropped, -1);
  for (const core::StreamMove& entry : plan.moves) {
    if (!store_->copy(entry.from, entry.to)) {
      return fail(fmt::format("stream {} cannot be moved to {}", entry.from, entry.to));
    }
    samplers_[static_cast<std::size_t>(entry.to)] =
        std::move(samplers_[static_cast<std::size_t>(entry.from)]);
  }
  for (const core::SequenceStart& entry : plan.starts) {
    if (auto started = start(entry); !started) return fail(started.error().message);
  }

  sampled_.assign(plan.streams.size(), {});
  for (const Pass& pass : split_passes(plan)) {
    const int code = evaluate(plan, pass, result);
    if (code == 0) continue;
    cut_back(plan);
    if (code != kDecodeAborted) {
      return fail(fmt::format("llama.cpp could not evaluate the step (code {}): {}", code,
                              first_llama_error()));
    }
    result.status = core::StepStatus::kAborted;
    return result;
  }
  for (std::size_t i = 0; i < plan.streams.size(); ++i) {
    if (plan.streams[i].sample) result.sampled.push_back(std::move(sampled_[i]));
  }
  return result;
}

}  // namespace switchyard::engine
