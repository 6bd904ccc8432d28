#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace switchyard::workload {

enum class TraceColumn { kTime, kInputTokens, kOutputTokens };

/// Which quantity a CSV column or JSON key holds, by name: case, blanks and '_' do not matter.
std::optional<TraceColumn> trace_column_of(std::string_view name);

/// Seconds from a plain number, or from an ISO date and time ("2023-11-16 18:15:46.6805900", "T"
/// between them, "Z" or "+00:00" behind). Dates count from 1970; no value if it is neither,
/// negative or not finite.
std::optional<double> parse_timestamp(std::string_view text);

/// A count of tokens: digits, also written "12.0". No value outside 0 … 10 million.
std::optional<std::int32_t> parse_tokens(std::string_view text);

/// The fields of one CSV line (RFC 4180 quotes), blanks around them removed.
std::vector<std::string> split_csv(std::string_view line);

}  // namespace switchyard::workload
