#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <utility>

#include "base/progress.h"
#include "commands/cli.h"
#include "commands/commands.h"
#include "commands/interrupt.h"
#include "commands/json_file.h"
#include "commands/prepare_report.h"
#include "config/prepare_options.h"

namespace switchyard::commands {
namespace {

#ifdef SWITCHYARD_ENGINE_LLAMA

std::string mode_choices() { return engine::mode_choices(); }

/// Calls to `progress` draw a bar; the work ends at its next step after an interrupt.
engine::DeriveControl control_with(Progress& progress, const std::string& label) {
  return {
      .progress = [&progress](float done) { progress.update(done); },
      .waiting =
          [label] { fmt::print(stderr, "{}: another process is deriving it, waiting\n", label); },
      .cancelled = Interrupt::requested};
}

Result<std::string> hash_source(engine::WeightsCache& cache) {
  Progress progress("reading the model");
  return cache.source_hash(control_with(progress, "model"));
}

Result<PreparedMode> prepare_mode(engine::WeightsCache& cache, const engine::Mode& mode,
                                  const config::Settings& settings) {
  const auto began = std::chrono::steady_clock::now();
  Progress progress(mode.name);
  engine::DeriveControl control = control_with(progress, mode.name);
  control.again = settings.get_bool("force");
  auto weights = cache.weights_for(mode, control);
  if (!weights) return weights.error();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began;
  return PreparedMode{mode, *std::move(weights), elapsed.count()};
}

/// Fills the report mode by mode and prints each. On an error it holds what was ready before.
Result<void> prepare_modes(engine::WeightsCache& cache, const std::vector<engine::Mode>& modes,
                           const config::Settings& settings, PrepareReport& report) {
  auto hash = hash_source(cache);
  if (!hash) return hash.error();
  report.source_hash = *std::move(hash);
  fmt::print("{}", source_text(report));
  for (const engine::Mode& mode : modes) {
    std::fflush(stdout);
    auto prepared = prepare_mode(cache, mode, settings);
    if (!prepared) return prepared.error();
    report.modes.push_back(*std::move(prepared));
    fmt::print("{}", mode_text(report, report.modes.back()));
  }
  return {};
}

int run(const config::Settings& settings) {
  const auto modes = engine::resolve_modes(settings.get_list("modes"));
  if (!modes) return fail(modes.error());
  const std::string& model = settings.get_string("model");
  if (model.empty()) return fail({ErrorCode::kUsage, "--model FILE is missing", "model"});
  auto file = engine::inspect_gguf(model);
  if (!file) return fail(file.error());

  const Interrupt interrupt;
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error like a full disk
  PrepareReport report;
  report.source = {model, *std::move(file)};
  engine::WeightsCache cache(report.source, settings.get_string("cache-dir"));
  const auto done = prepare_modes(cache, *modes, settings, report);
  int status = 0;
  if (!done) {
    report.failure = Interrupt::requested() ? "interrupted" : done.error().message;
    status = fail({done.error().code, report.failure, done.error().param});
  }
  if (const auto& path = settings.get_string("json"); !path.empty()) {
    if (auto written = write_json_file(path, render_json(report)); !written) {
      status = fail(written.error());
    }
  }
  return status;
}

#else

std::string mode_choices() { return "this build has no engine that derives any"; }

int run(const config::Settings& /*settings*/) {
  return fail({ErrorCode::kUsage, "this build has no llama engine, which derives weights", {}});
}

#endif

}  // namespace

int run_prepare(const std::vector<std::string>& arguments) {
  int status = 0;
  const config::PrepareCommand command(mode_choices());
  const auto settings = parse_or_print(command.spec(), arguments, status);
  return settings ? run(*settings) : status;
}

}  // namespace switchyard::commands
