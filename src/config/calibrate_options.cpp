#include "config/calibrate_options.h"

namespace switchyard::config {
namespace {

constexpr OptionSpec kOptions[] = {
    {"model", Type::kString, "", "FILE", "model weights in GGUF format; the llama engine needs it"},
    {"engine", Type::kString, "llama", "NAME",
     "'llama', or 'sim:PROFILE[,speed=N]' for a simulated engine that needs no weights"},
    {"modes", Type::kList, "auto,q8_0,q6_K,q4_0", "LIST",
     "weights to measure, the reference first; derived files are cached"},
    {"json", Type::kString, "calibration.json", "FILE",
     "where the calibration is written (docs/calibrate.md)"},
    {"rounds", Type::kInt, "5", "N", "visits to each point, all modes taking turns", 1, 1000},
    {"max-model-len", Type::kInt, "0", "TOKENS",
     "context of one sequence, as for serve; 0 = the model's own, at most 2048", 0, 1 << 24},
    {"max-num-seqs", Type::kInt, "16", "N", "largest batch to measure, as for serve", 1, 1024},
    {"threads", Type::kInt, "0", "N",
     "threads of the engine, 0 = one per core; the calibration holds for this number only", 0,
     1024},
    {"cache-dir", Type::kString, "", "DIR",
     "where derived weights are kept (default: $XDG_CACHE_HOME/switchyard or ~/.cache/switchyard)"},
};

constexpr CommandSpec kCalibrate = {
    "calibrate",
    "Measures what each mode costs on this machine. Leave the machine alone meanwhile.",
    "switchyard calibrate --model SmolLM2-135M-Instruct.gguf\n"
    "switchyard calibrate --model model.gguf --modes auto,q8_0 --max-num-seqs 32 --json "
    "costs.json\n"
    "switchyard calibrate --engine sim:cpu-smollm2 --modes bf16,q8_0 --rounds 3",
    kOptions,
};

}  // namespace

const CommandSpec& calibrate_command() { return kCalibrate; }

}  // namespace switchyard::config
