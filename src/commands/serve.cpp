#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <utility>

#include "api/http_server.h"
#include "base/progress.h"
#include "commands/cli.h"
#include "commands/commands.h"
#include "commands/signals.h"
#include "config/serve_options.h"
#include "engine/sim/sim_engine.h"
#include "metrics/metrics.h"
#include "scheduler/options.h"
#include "service/service.h"
#ifdef SWITCHYARD_ENGINE_LLAMA
#include "engine/llama/llama_engine.h"
#endif

namespace switchyard::commands {
namespace {

constexpr std::string_view kSimPrefix = "sim:";

bool is_simulated(const config::Settings& settings) {
  return settings.get_string("engine").starts_with(kSimPrefix);
}

// "SmolLM2-135M-Instruct.Q4_1.gguf" → "smollm2-135m-instruct.q4_1"
std::string default_alias(const config::Settings& settings) {
  if (is_simulated(settings)) return "sim";
  std::string stem = std::filesystem::path(settings.get_string("model")).stem().string();
  std::transform(stem.begin(), stem.end(), stem.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return stem;
}

scheduler::Options scheduler_options(const config::Settings& settings) {
  scheduler::Options options;
  const auto budget = static_cast<std::int32_t>(settings.get_int("max-num-batched-tokens"));
  if (budget > 0) {
    options.max_step_cost *= static_cast<double>(budget) / options.max_step_tokens;
    options.max_step_tokens = budget;
  }
  if (settings.get_string("scheduling-policy") == "fcfs") options.overtaking = 0;
  options.prefix_store_bytes = static_cast<std::uint64_t>(settings.get_int("cache-ram")) << 20U;
  return options;
}

Result<std::unique_ptr<engine::Engine>> make_simulated(const config::Settings& settings) {
  auto options = engine::parse_sim_spec(settings.get_string("engine").substr(kSimPrefix.size()));
  if (!options) return options.error();
  if (!settings.is_default("modes")) options->modes = settings.get_list("modes");
  if (!settings.is_default("max-num-seqs")) {
    options->streams = static_cast<std::int32_t>(settings.get_int("max-num-seqs"));
  }
  if (settings.get_int("max-model-len") > 0) {
    options->stream_capacity_tokens = static_cast<std::int32_t>(settings.get_int("max-model-len"));
  }
  return engine::make_sim_engine(*options);
}

Result<std::unique_ptr<engine::Engine>> load_engine(const config::Settings& settings) {
  if (is_simulated(settings)) return make_simulated(settings);
#ifdef SWITCHYARD_ENGINE_LLAMA
  engine::LlamaOptions options;
  options.model_path = settings.get_string("model");
  options.modes = settings.get_list("modes");
  options.max_sequences = static_cast<std::int32_t>(settings.get_int("max-num-seqs"));
  options.context_tokens = static_cast<std::int32_t>(settings.get_int("max-model-len"));
  options.threads = static_cast<std::int32_t>(settings.get_int("threads"));
  options.cache_dir = settings.get_string("cache-dir");
  const scheduler::Options scheduling = scheduler_options(settings);
  options.max_batch_tokens = scheduler::max_plan_tokens(scheduling, options.max_sequences);
  options.prefix_store_bytes = scheduling.prefix_store_bytes;
  Progress progress("loading");
  return engine::load_llama_engine(options, [&](float done) { progress.update(done); });
#else
  return Error{ErrorCode::kUsage, "this build has no llama engine; use --engine sim:PROFILE", {}};
#endif
}

// What can be said before the port is bound: bad usage must not look like a loading server.
Result<void> check_engine_option(const config::Settings& settings) {
  const std::string& engine = settings.get_string("engine");
  if (is_simulated(settings)) return {};
  if (engine != "llama") {
    return Error{ErrorCode::kUsage, "--engine is neither 'llama' nor 'sim:PROFILE'", "engine"};
  }
  if (settings.get_string("model").empty()) {
    return Error{ErrorCode::kUsage, "--model FILE is missing (or --engine sim:default)", "model"};
  }
  return {};
}

Result<std::vector<std::string>> read_api_keys(const std::string& path) {
  std::vector<std::string> keys;
  if (path.empty()) return keys;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
    if (!line.empty()) keys.push_back(line);
  }
  if (keys.empty()) {
    return Error{ErrorCode::kIo, fmt::format("no API key can be read from '{}'", path), {}};
  }
  return keys;
}

Result<api::ServerOptions> server_options(const config::Settings& settings) {
  auto keys = read_api_keys(settings.get_string("api-key-file"));
  if (!keys) return keys.error();
  api::ServerOptions options;
  options.host = settings.get_string("host");
  options.port = static_cast<std::uint16_t>(settings.get_int("port"));
  options.http_threads = static_cast<int>(settings.get_int("http-threads"));
  options.max_body_bytes = static_cast<std::size_t>(settings.get_int("max-body-bytes"));
  options.api_keys = std::move(*keys);
  return options;
}

service::ServiceOptions service_options(const config::Settings& settings) {
  service::ServiceOptions options;
  options.alias =
      settings.is_default("alias") ? default_alias(settings) : settings.get_string("alias");
  options.queue_limit = static_cast<std::int32_t>(settings.get_int("queue-limit"));
  options.queue_timeout_seconds = settings.get_double("queue-timeout");
  options.scheduler = scheduler_options(settings);
  return options;
}

void log_ready(const service::Service& service, const std::string& host, std::uint16_t port,
               core::Duration since_start) {
  for (const service::Model& model : service.models()) {
    const core::LaneInfo& lane = service.lane(model.lane);
    spdlog::info("model {}: {} x {} tokens of context, weights {} MiB, KV {} MiB", model.id,
                 lane.n_streams, lane.stream_capacity_tokens, lane.weights_bytes >> 20U,
                 lane.kv_bytes >> 20U);
  }
  spdlog::info("ready after {:.1f} s on http://{}:{}", core::to_seconds(since_start), host, port);
}

}  // namespace

int run_serve(const std::vector<std::string>& arguments) {
  const core::TimePoint started = core::Clock::now();
  int status = 0;
  const auto settings = parse_or_print(config::serve_command(), arguments, status);
  if (!settings) return status;
  if (auto checked = check_engine_option(*settings); !checked) return fail(checked.error());
  const auto http_options = server_options(*settings);
  if (!http_options) return fail(http_options.error());

  ShutdownSignals signals;
  spdlog::set_default_logger(spdlog::stderr_color_mt("switchyard"));
  spdlog::set_level(spdlog::level::from_str(settings->get_string("log-level")));

  metrics::Metrics metrics;
  service::Service service(service_options(*settings), metrics);
  api::HttpServer server(*http_options, service, metrics, SWITCHYARD_VERSION);
  if (auto listening = server.start(); !listening) return fail(listening.error());

  // Loading runs beside the listening server, so that /health can say 503.
  std::optional<Error> load_error;
  std::atomic<bool> load_failed = false;
  std::thread loader([&] {
    auto engine = load_engine(*settings);
    if (!engine) {
      load_error = engine.error();
      load_failed = true;
      return ShutdownSignals::raise();
    }
    service.start(std::move(*engine));
    log_ready(service, http_options->host, server.port(), core::Clock::now() - started);
  });

  signals.wait();
  if (load_failed) {
    loader.join();
    server.stop();
    return fail(*load_error);
  }
  if (service.state() == service::Service::State::kLoading) {
    spdlog::info("stopped while loading");
    std::_Exit(0);  // nothing to finish; derived weights appear only when they are whole
  }
  spdlog::info("stopping: running requests have {} s to finish",
               settings->get_double("grace-period"));
  service.begin_shutdown();
  server.begin_drain();
  const auto grace = std::chrono::duration_cast<core::Duration>(
      std::chrono::duration<double>(settings->get_double("grace-period")));
  server.wait_idle(core::Clock::now() + grace);
  loader.join();
  service.stop();
  server.stop();
  return 0;
}

}  // namespace switchyard::commands
