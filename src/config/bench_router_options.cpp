#include "config/bench_router_options.h"

namespace switchyard::config {
namespace {

constexpr OptionSpec kOptions[] = {
    {"decisions", Type::kInt, "200000", "N", "decisions to time for each policy", 1000,
     100'000'000},
    {"seed", Type::kInt, "1", "N", "of the requests and loads that are drawn", 0, 1 << 30},
    {"calibration", Type::kString, "", "FILE",
     "costs from 'switchyard calibrate' (default: the built-in profile)"},
    {"profile", Type::kString, "", "NAME", "costs of a built-in profile: a100-llama8b"},
    {"quality", Type::kString, "", "FILE",
     "quality of the modes (default: every mode passes, so that all are compared)"},
    {"modes", Type::kList, "", "LIST",
     "weights that are loaded, the reference first (default: all that have costs)"},
    {"max-num-seqs", Type::kInt, "16", "N", "sequences at once in each lane", 1, 1024},
    {"json", Type::kString, "", "FILE", "write the result there as well (docs/route.md)"},
};

constexpr CommandSpec kCommand = {
    "bench router",
    "Times single routing decisions of each policy, features given, and what the features "
    "take. Leave the machine alone meanwhile.",
    "switchyard bench router\n"
    "switchyard bench router --calibration calibration.json --json router.json",
    kOptions};

}  // namespace

const CommandSpec& bench_router_command() { return kCommand; }

}  // namespace switchyard::config
