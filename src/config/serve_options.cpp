#include "config/serve_options.h"

namespace switchyard::config {
namespace {

constexpr double kDay = 86'400;

constexpr OptionSpec kOptions[] = {
    {"model", Type::kString, "", "FILE", "model weights in GGUF format; the llama engine needs it"},
    {"engine", Type::kString, "llama", "NAME",
     "'llama', or 'sim:PROFILE[,speed=N]' for a simulated engine that needs no weights"},
    {"modes", Type::kList, "auto", "LIST",
     "weights to serve, the reference first: auto (full precision, the faster of F16 and BF16), "
     "bf16, f16, q8_0, q4_0, …; derived files are cached"},
    {"alias", Type::kString, "", "NAME",
     "model name clients use; a further mode is NAME:MODE (default: from the file's name)"},
    {"host", Type::kString, "127.0.0.1", "ADDRESS", "address to listen on"},
    {"port", Type::kInt, "8080", "N", "port to listen on, 0 = any free one", 0, 65'535},
    {"api-key-file", Type::kString, "", "FILE",
     "one accepted API key per line; without it no key is asked for"},
    {"max-model-len", Type::kInt, "0", "TOKENS",
     "context of one sequence, prompt and output; 0 = the model's own, at most 2048", 0, 1 << 24},
    {"max-num-seqs", Type::kInt, "16", "N", "sequences of a mode that run at once", 1, 1024},
    {"max-num-batched-tokens", Type::kInt, "0", "TOKENS",
     "prompt and decode tokens of a step while sequences decode: smaller keeps their pace, larger "
     "prefills faster; 0 = 96",
     0, 8192},
    {"cache-ram", Type::kInt, "512", "MIB",
     "host memory for cached prefixes whose KV stream another sequence needs; 0 = none", 0,
     1 << 24},
    {"scheduling-policy", Type::kString, "aged", "NAME",
     "who is admitted next: 'aged', where short requests overtake long ones within bounds, or "
     "'fcfs'",
     OptionSpec{}.min, OptionSpec{}.max, "aged|fcfs"},
    {"threads", Type::kInt, "0", "N", "threads of the engine, 0 = one per core", 0, 1024},
    {"http-threads", Type::kInt, "1", "N", "threads that serve connections", 1, 256},
    {"queue-limit", Type::kInt, "256", "N",
     "sequences that may wait for their turn; more are refused with status 429", 0, 1'000'000},
    {"queue-timeout", Type::kDouble, "0", "SECONDS",
     "longest wait for a turn before a request is refused, 0 = no limit", 0, kDay},
    {"grace-period", Type::kDouble, "30", "SECONDS",
     "time that running requests have to finish after SIGTERM", 0, kDay},
    {"cache-dir", Type::kString, "", "DIR",
     "where derived weights are kept (default: $XDG_CACHE_HOME/switchyard or ~/.cache/switchyard)"},
    {"max-body-bytes", Type::kInt, "8388608", "BYTES", "largest request body", 1024, 1 << 30},
    {"log-level", Type::kString, "info", "LEVEL", "least severe messages to log", OptionSpec{}.min,
     OptionSpec{}.max, "debug|info|warn|error"},
};

constexpr CommandSpec kServe = {
    "serve",
    "Serves a model over an OpenAI-compatible HTTP API.",
    "switchyard serve --model SmolLM2-135M-Instruct.gguf\n"
    "switchyard serve --model model.gguf --modes auto,q8_0 --max-num-seqs 32 --port 9000\n"
    "switchyard serve --engine sim:default,speed=50 --port 0\n"
    "SWITCHYARD_PORT=9000 switchyard serve --config switchyard.toml --print-config",
    kOptions,
};

}  // namespace

const CommandSpec& serve_command() { return kServe; }

}  // namespace switchyard::config
