#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"

namespace switchyard::api {

/// The two ways to ask for text; also a bit set in WireField::endpoints.
enum class Endpoint : unsigned { kChat = 1, kCompletion = 2 };

/// The scalar request fields as they came: absent and null are both nullopt. Numbers are in the
/// ranges of wire_fields().
struct WireFields {
  std::optional<std::string> model;
  std::optional<bool> stream;
  std::optional<std::int64_t> n;
  std::optional<std::int64_t> max_tokens;
  std::optional<std::int64_t> max_completion_tokens;
  std::optional<std::int64_t> min_tokens;
  std::optional<bool> ignore_eos;
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<std::int64_t> top_k;
  std::optional<double> min_p;
  std::optional<double> repetition_penalty;
  std::optional<double> repeat_penalty;
  std::optional<double> frequency_penalty;
  std::optional<double> presence_penalty;
  std::optional<std::int64_t> seed;
  std::optional<std::string> cache_salt;
  std::optional<bool> logprobs;  ///< chat
  std::optional<std::int64_t> top_logprobs;
  std::optional<std::int64_t> logprobs_k;  ///< completions: `logprobs` is a number there
};

/// A field with structure; its reader is in structured_fields, chat_messages or prompts.
struct Structured {};

/// Where a scalar field is stored, which also says its JSON type.
using WireMember =
    std::variant<Structured, std::optional<bool> WireFields::*,
                 std::optional<std::int64_t> WireFields::*, std::optional<double> WireFields::*,
                 std::optional<std::string> WireFields::*>;

/// What happens to a number over the maximum.
enum class Above { kRefuse, kClamp };

struct WireField {
  std::string_view name;
  unsigned endpoints;  ///< bits of Endpoint
  WireMember member;
  double min;  ///< of a number; of a string's bytes
  double max;  ///< the same; 0 for a string of any length
  Above above;
  std::string_view help;
};

/// Every request field this server serves, declared once: parser, error texts and documentation
/// come from it.
std::span<const WireField> wire_fields();

/// What the field accepts, as error texts say it: "an integer from 1 to 128".
std::string accepted_values(const WireField& field);

/// Reads every scalar field of `endpoint`. A bool is not a number, a string is not a number, a
/// fraction is not an integer; errors are kInvalidRequest with the field as param.
Result<WireFields> read_wire_fields(const nlohmann::json& body, Endpoint endpoint);

}  // namespace switchyard::api
