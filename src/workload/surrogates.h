#pragma once

#include <cstdint>
#include <string>

namespace switchyard::workload {

/// Replaces each \uD800…\uDFFF escape of `json` that is not half of a pair by \uFFFD, in place, and
/// returns how many there were. JSON parsers refuse such escapes, yet real data sets hold them
/// where a text was cut inside a character.
std::int64_t repair_lone_surrogates(std::string& json);

}  // namespace switchyard::workload
