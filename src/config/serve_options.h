#pragma once

#include "config/option.h"

namespace switchyard::config {

const CommandSpec& serve_command();

}  // namespace switchyard::config
