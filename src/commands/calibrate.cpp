#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "base/progress.h"
#include "calibration/calibration_file.h"
#include "calibration/measure/measure.h"
#include "commands/calibrate_engines.h"
#include "commands/calibrate_identity.h"
#include "commands/calibrate_report.h"
#include "commands/cli.h"
#include "commands/commands.h"
#include "commands/interrupt.h"
#include "commands/json_file.h"
#include "config/calibrate_options.h"
#include "scheduler/options.h"

namespace switchyard::commands {
namespace {

std::string utc_now() {
  return fmt::format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

Result<calibration::Measured> measure_modes(const CalibrateEngines& loaded, std::int32_t rounds,
                                            std::int32_t chunk_tokens) {
  Progress progress("measuring");
  return calibration::measure(loaded.targets,
                              {.chunk_tokens = chunk_tokens,
                               .rounds = rounds,
                               .progress = [&progress](double done) { progress.update(done); },
                               .stopped = Interrupt::requested});
}

Result<void> run(const config::Settings& settings) {
  const auto began = std::chrono::steady_clock::now();
  // A prompt that is prefilled alone goes in steps of this size, so this is what is measured.
  const std::int32_t chunk_tokens = scheduler::Options{}.max_prefill_tokens;
  const auto loaded = load_calibrate_engines(settings, chunk_tokens);
  if (!loaded) return loaded.error();
  calibration::Calibration result;
  auto identity = current_identity(settings.get_string("engine"), settings.get_string("model"),
                                   static_cast<std::int32_t>(settings.get_int("threads")));
  if (!identity) return identity.error();
  result.identity = *std::move(identity);
  result.created = utc_now();
  result.label = "measured";

  const auto rounds = static_cast<std::int32_t>(settings.get_int("rounds"));
  auto measured = measure_modes(*loaded, rounds, chunk_tokens);
  if (!measured) return measured.error();
  result.modes = std::move(measured->costs);
  const std::string& path = settings.get_string("json");
  auto written = write_json_file(path, render_calibration(result, measured->points));
  if (!written) return written;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began;
  fmt::print("{}written to {} after {:.0f} s\n", calibration_table(result), path, elapsed.count());
  return {};
}

}  // namespace

int run_calibrate(const std::vector<std::string>& arguments) {
  int status = 0;
  const auto settings = parse_or_print(config::calibrate_command(), arguments, status);
  if (!settings) return status;
  const Interrupt interrupt;
  const auto done = run(*settings);
  return done ? 0 : fail(done.error());
}

}  // namespace switchyard::commands
