#include "config/bench_serve_options.h"

namespace switchyard::config {
namespace {

constexpr double kNoMin = OptionSpec{}.min;
constexpr double kNoMax = OptionSpec{}.max;
constexpr double kDay = 86'400;
constexpr double kMaxTokens = 10'000'000;

constexpr OptionSpec kOptions[] = {
    {"url", Type::kString, "http://127.0.0.1:8080", "URL", "server to load"},
    {"compare", Type::kString, "", "URL2",
     "second server: the two take turns in rounds, and the ratio URL / URL2 of each figure is "
     "printed with its spread"},
    {"rounds", Type::kInt, "0", "N", "times the workload is run per server; 0 = 1, or 3 to compare",
     0, 1000},
    {"model", Type::kString, "", "NAME",
     "model to ask for; empty = the first that the server lists"},
    {"compare-model", Type::kString, "", "NAME", "the same for the second server"},
    {"api-key-file", Type::kString, "", "FILE", "file whose first line is the API key to send"},
    {"workload", Type::kString, "sharegpt-turns", "NAME",
     "sharegpt-turns: 24 recorded conversations of up to 3 turns and 96 tokens per answer; "
     "sharegpt: whole conversations; synthetic: made-up prompts; trace: lengths and times of a "
     "trace file",
     kNoMin, kNoMax, "sharegpt-turns|sharegpt|synthetic|trace"},
    {"data", Type::kString, "", "FILE",
     "ShareGPT JSON, or a trace (Azure, BurstGPT, Mooncake, Bailian or vLLM-style layout); the "
     "environment's SWITCHYARD_DATA may name a folder of them"},
    {"arrival", Type::kString, "auto", "KIND",
     "closed: as --concurrency allows; constant or poisson: at --rate; trace: at the trace's "
     "times; "
     "auto: trace for a trace, else closed",
     kNoMin, kNoMax, "auto|closed|constant|poisson|trace"},
    {"rate", Type::kDouble, "1", "PER_SECOND", "sessions that arrive per second", 1e-6, 1e6},
    {"speed", Type::kDouble, "1", "FACTOR", "the trace's times run this many times as fast"},
    {"timestamp-unit", Type::kString, "auto", "UNIT",
     "unit of a trace's numeric timestamps; auto: ms in Mooncake's layout, else s", kNoMin, kNoMax,
     "auto|s|ms"},
    {"concurrency", Type::kInt, "0", "N", "most sessions at once, 0 = no limit", 0, 1'000'000},
    {"requests", Type::kInt, "0", "N",
     "conversations or requests; 0 = 24 for sharegpt-turns, the whole trace, else 100", 0,
     20'000'000},
    {"seed", Type::kInt, "1", "N", "for drawing conversations, lengths, texts and arrivals", 0,
     kNoMax},
    {"input-tokens", Type::kString, "256", "N[:M]", "prompt length of the synthetic workload"},
    {"output-tokens", Type::kString, "64", "N[:M]", "output length of the synthetic workload"},
    {"max-input-tokens", Type::kInt, "0", "N",
     "longer prompts of a trace are shortened to this, 0 = no limit", 0, kMaxTokens},
    {"max-output-tokens", Type::kInt, "0", "N",
     "longer outputs are shortened to this, 0 = no limit (sharegpt-turns: 96)", 0, kMaxTokens},
    {"ignore-eos", Type::kBool, "true", "",
     "force the recorded output lengths (a field of vLLM, llama-server and switchyard)"},
    {"timeout", Type::kDouble, "600", "SECONDS", "longest time of one request", 0.001, kDay},
    {"slo-ttft-ms", Type::kDouble, "0", "MS", "goodput: limit of the time to first token, 0 = none",
     0, kNoMax},
    {"slo-itl-ms", Type::kDouble, "0", "MS",
     "goodput: limit of the 99th percentile of a request's inter-token gaps, 0 = none", 0, kNoMax},
    {"slo-tpot-ms", Type::kDouble, "0", "MS",
     "goodput: limit of the time per output token after the first, 0 = none", 0, kNoMax},
    {"slo-e2e-ms", Type::kDouble, "0", "MS", "goodput: limit of the whole latency, 0 = none", 0,
     kNoMax},
    {"json", Type::kString, "", "FILE", "write the figures there as well (docs/bench_serve.md)"},
};

constexpr CommandSpec kBenchServe = {
    "bench serve",
    "Loads an OpenAI-compatible server and measures latency, throughput and failures.",
    "switchyard bench serve --url http://127.0.0.1:8080 --data ShareGPT.json\n"
    "switchyard bench serve --workload synthetic --input-tokens 128:512 --arrival poisson --rate "
    "4\n"
    "switchyard bench serve --workload trace --data azure_2023_conv.csv --speed 2 --requests 500\n"
    "switchyard bench serve --compare http://127.0.0.1:8081 --rounds 5 --json ratio.json",
    kOptions,
};

}  // namespace

const CommandSpec& bench_serve_command() { return kBenchServe; }

}  // namespace switchyard::config
