#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "router/router_setup.h"

namespace switchyard::commands {

/// Sets the quality of the setup's lanes from a file's text (schema switchyard.quality.v1,
/// docs/route.md). Modes that are not loaded are skipped; a loaded mode that is not listed stays
/// unknown. Error: kIo, one line that starts with `name`.
Result<void> apply_quality(std::string_view text, const std::string& name,
                           router::RouterSetup& setup);

/// What is known of a built-in profile's modes: those that run the reference's own weights. The
/// others' quality was not published per position.
void apply_profile_quality(router::RouterSetup& setup);

}  // namespace switchyard::commands
