#include "commands/calibrate_identity.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "base/sha256.h"
#include "calibration/identity.h"
#include "engine/sim/sim_options.h"
#ifdef SWITCHYARD_ENGINE_LLAMA
#include "engine/llama/build_info.h"
#endif

namespace switchyard::commands {
namespace {

constexpr std::string_view kSimPrefix = "sim:";

/// A profile by its content if it is a file, and its speed: both change every time.
Result<std::string> simulated_model(const std::string& spec) {
  const auto options = engine::parse_sim_spec(spec);
  if (!options) return options.error();
  std::string profile = options->profile;
  if (std::filesystem::is_regular_file(profile)) {
    auto hash = sha256_of_file(profile);
    if (!hash) return hash.error();
    profile = *std::move(hash);
  }
  return fmt::format("sim:{},speed={}", profile, options->speed);
}

void set_llama_build(calibration::Identity& identity) {
#ifdef SWITCHYARD_ENGINE_LLAMA
  engine::BuildInfo info = engine::build_info();
  identity.engine = "llama.cpp " + info.commit;
  identity.build_flags = std::move(info.kernels);
  identity.devices = std::move(info.devices);
#else
  identity.engine = "none";
#endif
}

}  // namespace

Result<calibration::Identity> current_identity(const std::string& engine, const std::string& model,
                                               std::int32_t threads) {
  calibration::Identity identity;
  const bool simulated = engine.starts_with(kSimPrefix);
  auto name = simulated ? simulated_model(engine.substr(kSimPrefix.size())) : sha256_of_file(model);
  if (!name) return name.error();
  identity.model = *std::move(name);
  identity.version = SWITCHYARD_VERSION;
  identity.threads = threads;
  if (simulated) {
    identity.engine = "simulated";
  } else {
    set_llama_build(identity);
  }
  return calibration::on_this_machine(std::move(identity));
}

}  // namespace switchyard::commands
