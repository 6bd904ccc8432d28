#include "config/prepare_options.h"

namespace switchyard::config {

PrepareCommand::PrepareCommand(const std::string& mode_choices)
    : modes_help_("weights to have ready, in upper or lower case: " + mode_choices +
                  "; auto is the faster full precision here"),
      options_{{
          {"model", Type::kString, "", "FILE", "model weights in GGUF format"},
          {"modes", Type::kList, "", "LIST", modes_help_},
          {"cache-dir", Type::kString, "", "DIR",
           "where derived weights are kept (default: $XDG_CACHE_HOME/switchyard or "
           "~/.cache/switchyard)"},
          {"force", Type::kBool, "false", "", "derive also what is in the cache"},
          {"json", Type::kString, "", "FILE", "write the result there as well (docs/prepare.md)"},
      }},
      spec_{"prepare",
            "Derives the weights that modes need, so that serve starts without that work.",
            "switchyard prepare --model SmolLM2-135M-Instruct.gguf --modes auto,q8_0,q4_0\n"
            "switchyard prepare --model model.gguf --modes q4_K_M --cache-dir /srv/weights\n"
            "switchyard prepare --model model.gguf --modes iq4_nl --force --json prepared.json",
            options_} {}

}  // namespace switchyard::config
