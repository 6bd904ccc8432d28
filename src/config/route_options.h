#pragma once

#include "config/option.h"

namespace switchyard::config {

const CommandSpec& route_command();

}  // namespace switchyard::config
