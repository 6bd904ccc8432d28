#pragma once

#include "config/option.h"

namespace switchyard::config {

const CommandSpec& bench_serve_command();

}  // namespace switchyard::config
