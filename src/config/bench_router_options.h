#pragma once

#include "config/option.h"

namespace switchyard::config {

const CommandSpec& bench_router_command();

}  // namespace switchyard::config
