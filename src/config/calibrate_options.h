#pragma once

#include "config/option.h"

namespace switchyard::config {

const CommandSpec& calibrate_command();

}  // namespace switchyard::config
