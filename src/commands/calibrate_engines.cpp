#include "commands/calibrate_engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/progress.h"
#include "commands/interrupt.h"
#include "engine/sim/sim_engine.h"
#ifdef SWITCHYARD_ENGINE_LLAMA
#include "engine/llama/llama_engine.h"
#include "engine/llama/modes.h"
#include "engine/llama/weights_cache.h"
#endif

namespace switchyard::commands {
namespace {

constexpr std::string_view kSimPrefix = "sim:";

void add(std::unique_ptr<engine::Engine> engine, double load_seconds, CalibrateEngines& loaded) {
  for (std::size_t lane = 0; lane < engine->lanes().size(); ++lane) {
    loaded.targets.push_back({engine.get(), static_cast<core::LaneId>(lane), load_seconds});
  }
  loaded.engines.push_back(std::move(engine));
}

Result<CalibrateEngines> make_simulated(const config::Settings& settings) {
  auto options = engine::parse_sim_spec(settings.get_string("engine").substr(kSimPrefix.size()));
  if (!options) return options.error();
  if (!settings.is_default("modes")) options->modes = settings.get_list("modes");
  if (!settings.is_default("max-num-seqs")) {
    options->streams = static_cast<std::int32_t>(settings.get_int("max-num-seqs"));
  }
  if (settings.get_int("max-model-len") > 0) {
    options->stream_capacity_tokens = static_cast<std::int32_t>(settings.get_int("max-model-len"));
  }
  auto engine = engine::make_sim_engine(*options);
  if (!engine) return engine.error();
  CalibrateEngines loaded;
  add(*std::move(engine), 0, loaded);
  return loaded;
}

#ifdef SWITCHYARD_ENGINE_LLAMA

Result<void> derive_weights(const std::vector<engine::Mode>& modes,
                            const config::Settings& settings) {
  auto file = engine::inspect_gguf(settings.get_string("model"));
  if (!file) return file.error();
  engine::WeightsCache cache({settings.get_string("model"), *std::move(file)},
                             settings.get_string("cache-dir"));
  for (const engine::Mode& mode : modes) {
    Progress progress(fmt::format("deriving {}", mode.name));
    engine::DeriveControl control;
    control.progress = [&progress](float done) { progress.update(done); };
    control.cancelled = Interrupt::requested;
    if (auto weights = cache.weights_for(mode, control); !weights) return weights.error();
  }
  return {};
}

Result<CalibrateEngines> load_llama(const config::Settings& settings, std::int32_t chunk_tokens) {
  const auto modes = engine::resolve_modes(settings.get_list("modes"));
  if (!modes) return modes.error();
  if (auto derived = derive_weights(*modes, settings); !derived) return derived.error();
  engine::LlamaOptions options;
  options.model_path = settings.get_string("model");
  options.max_sequences = static_cast<std::int32_t>(settings.get_int("max-num-seqs"));
  options.context_tokens = static_cast<std::int32_t>(settings.get_int("max-model-len"));
  options.threads = static_cast<std::int32_t>(settings.get_int("threads"));
  options.cache_dir = settings.get_string("cache-dir");
  options.max_batch_tokens = std::max(chunk_tokens, options.max_sequences);
  CalibrateEngines loaded;
  for (const engine::Mode& mode : *modes) {
    options.modes = {mode.name};
    Progress progress(fmt::format("loading {}", mode.name));
    const core::TimePoint began = core::Clock::now();
    auto engine = engine::load_llama_engine(options, [&](float done) { progress.update(done); });
    if (!engine) return engine.error();
    add(*std::move(engine), core::to_seconds(core::Clock::now() - began), loaded);
  }
  return loaded;
}

#else

Result<CalibrateEngines> load_llama(const config::Settings& /*settings*/,
                                    std::int32_t /*chunk_tokens*/) {
  return Error{ErrorCode::kUsage, "this build has no llama engine; use --engine sim:PROFILE", {}};
}

#endif

}  // namespace

Result<CalibrateEngines> load_calibrate_engines(const config::Settings& settings,
                                                std::int32_t chunk_tokens) {
  const std::string& engine = settings.get_string("engine");
  if (engine.starts_with(kSimPrefix)) return make_simulated(settings);
  if (engine != "llama") {
    return Error{ErrorCode::kUsage, "--engine is neither 'llama' nor 'sim:PROFILE'", "engine"};
  }
  if (settings.get_string("model").empty()) {
    return Error{ErrorCode::kUsage, "--model FILE is missing (or --engine sim:default)", "model"};
  }
  return load_llama(settings, chunk_tokens);
}

}  // namespace switchyard::commands
