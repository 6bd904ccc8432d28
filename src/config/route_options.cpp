#include "config/route_options.h"

namespace switchyard::config {
namespace {

constexpr OptionSpec kOptions[] = {
    {"explain", Type::kBool, "false", "",
     "explain one decision; what is done anyway if --table is not given"},
    {"table", Type::kBool, "false", "", "print the compiled decisions over typical requests"},
    {"prompt", Type::kString, "", "TEXT", "the user's text"},
    {"prompt-file", Type::kString, "", "FILE", "the same from a file, at most 4 MiB"},
    {"max-tokens", Type::kInt, "256", "TOKENS", "most output tokens", 1, 1 << 24},
    {"output-tokens", Type::kInt, "0", "TOKENS",
     "expect exactly this output; 0: what is usual for the request's class", 0, 1 << 24},
    {"shared-prefix", Type::kInt, "0", "TOKENS", "of the prompt, found in the memory of every lane",
     0, 1 << 24},
    {"temperature", Type::kDouble, "0", "T", "sampling temperature; 0 is greedy", 0, 100},
    {"demand", Type::kString, "balanced", "DEMAND", "how near to the reference answers must be", 0,
     0, "exact|balanced|fast"},
    {"policy", Type::kString, "rules", "NAME",
     "who decides: rules, paper, random[:SEED] or fixed:MODE"},
    {"load", Type::kList, "", "LIST",
     "RUNNING,WAITING on the reference, or MODE=RUNNING/WAITING for each lane"},
    {"context", Type::kInt, "512", "TOKENS", "mean context of the running sequences", 0, 1 << 24},
    {"calibration", Type::kString, "", "FILE", "costs from 'switchyard calibrate'"},
    {"profile", Type::kString, "", "NAME", "costs of a built-in profile instead: a100-llama8b"},
    {"quality", Type::kString, "", "FILE",
     "quality of the modes (docs/route.md); without it only reference weights may answer"},
    {"modes", Type::kList, "", "LIST",
     "weights that are loaded, the reference first (default: all that have costs)"},
    {"max-num-seqs", Type::kInt, "16", "N", "sequences at once in each lane", 1, 1024},
    {"json", Type::kString, "", "FILE", "write the result there as well (docs/route.md)"},
};

constexpr CommandSpec kCommand = {
    "route",
    "Says in which mode a request would be served, what the others would cost, and why. "
    "Loads no model.",
    "switchyard route --explain --prompt \"What is 127 * 46?\" --calibration "
    "calibration.json --quality quality.json\n"
    "switchyard route --prompt-file prompt.txt --demand fast --load 8,2 --profile "
    "a100-llama8b\n"
    "switchyard route --table --calibration calibration.json --quality quality.json",
    kOptions};

}  // namespace

const CommandSpec& route_command() { return kCommand; }

}  // namespace switchyard::config
