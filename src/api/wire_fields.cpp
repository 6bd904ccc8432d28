#include "api/wire_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "api/limits.h"

namespace switchyard::api {
namespace {

using nlohmann::json;

constexpr unsigned kChat = static_cast<unsigned>(Endpoint::kChat);
constexpr unsigned kCompletion = static_cast<unsigned>(Endpoint::kCompletion);
constexpr unsigned kBoth = kChat | kCompletion;
constexpr double kInt32Max = std::numeric_limits<std::int32_t>::max();
constexpr double kInt64Max = 9223372036854775807.0;
constexpr Above kRefuse = Above::kRefuse;
constexpr Above kClamp = Above::kClamp;

using F = WireFields;
// clang-format off
const std::array kFields = {
    WireField{"model", kBoth, &F::model, 0, 0, kRefuse, "model id from /v1/models; absent = the first"},
    WireField{"messages", kChat, Structured{}, 1, kMaxMessages, kRefuse, "the conversation: role and content each"},
    WireField{"prompt", kCompletion, Structured{}, 0, 0, kRefuse, "a string, a list of token ids, or a list of either"},
    WireField{"stream", kBoth, &F::stream, 0, 0, kRefuse, "answer as server-sent events"},
    WireField{"stream_options", kBoth, Structured{}, 0, 0, kRefuse, "include_usage: a last event with the token counts"},
    WireField{"n", kBoth, &F::n, 1, kMaxChoices, kRefuse, "choices per prompt; choice i is seeded with seed + i"},
    WireField{"max_tokens", kBoth, &F::max_tokens, 1, kInt32Max, kClamp, "most tokens to generate; cut to what fits behind the prompt"},
    WireField{"max_completion_tokens", kBoth, &F::max_completion_tokens, 1, kInt32Max, kClamp, "newer name of max_tokens, wins over it"},
    WireField{"min_tokens", kBoth, &F::min_tokens, 0, kInt32Max, kClamp, "no end of generation before this many tokens"},
    WireField{"ignore_eos", kBoth, &F::ignore_eos, 0, 0, kRefuse, "never end by the model's choice"},
    WireField{"temperature", kBoth, &F::temperature, 0, 2, kRefuse, "0 = greedy; default 1"},
    WireField{"top_p", kBoth, &F::top_p, 0, 1, kRefuse, "0 = greedy; default 1 = off"},
    WireField{"top_k", kBoth, &F::top_k, -1, kInt32Max, kClamp, "-1 or 0 = off (default)"},
    WireField{"min_p", kBoth, &F::min_p, 0, 1, kRefuse, "0 = off (default)"},
    WireField{"repetition_penalty", kBoth, &F::repetition_penalty, 0.1, 10, kRefuse, "1 = off (default)"},
    WireField{"repeat_penalty", kBoth, &F::repeat_penalty, 0.1, 10, kRefuse, "llama-server's name of repetition_penalty"},
    WireField{"frequency_penalty", kBoth, &F::frequency_penalty, -2, 2, kRefuse, "0 = off (default)"},
    WireField{"presence_penalty", kBoth, &F::presence_penalty, -2, 2, kRefuse, "0 = off (default)"},
    WireField{"seed", kBoth, &F::seed, -kInt64Max, kInt64Max, kRefuse, "folded to 32 bits; absent = random"},
    WireField{"cache_salt", kBoth, &F::cache_salt, 1, kMaxCacheSaltBytes, kRefuse, "only requests of equal salt share cached prefixes; absent = no salt"},
    WireField{"stop", kBoth, Structured{}, 0, kMaxStops, kRefuse, "a string or a list of strings; the answer ends before the first match"},
    WireField{"logit_bias", kBoth, Structured{}, 0, kMaxLogitBiases, kRefuse, "token id → bias from -100 to 100"},
    WireField{"logprobs", kChat, &F::logprobs, 0, 0, kRefuse, "return log-probabilities of the answer's tokens"},
    WireField{"top_logprobs", kChat, &F::top_logprobs, 0, kMaxTopLogprobs, kRefuse, "and of this many alternatives; needs logprobs"},
    WireField{"logprobs", kCompletion, &F::logprobs_k, 0, kMaxLegacyLogprobs, kRefuse, "return log-probabilities of the tokens and this many alternatives"},
};
// clang-format on

Error wrong(const WireField& field) {
  return {ErrorCode::kInvalidRequest,
          fmt::format("'{}' must be {}", field.name, accepted_values(field)),
          std::string(field.name)};
}

bool is_whole(double value) { return std::trunc(value) == value; }

// Exactly what the client wrote; nullopt for a fraction and beyond 64 bits. A number written with a
// point or exponent, or with too many digits, comes as a double: past 2^53 digits may be lost.
std::optional<std::int64_t> exact_integer(const json& value) {
  constexpr double kExactDoubles = 9007199254740992.0;
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  const auto number = value.get<double>();
  if (!is_whole(number) || std::abs(number) >= kExactDoubles) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

// Written so that NaN fails.
bool in_range(const WireField& field, double value) {
  return value >= field.min && value <= field.max;
}

Result<void> store(const WireField& field, const json& value, std::optional<bool>& out) {
  if (!value.is_boolean()) return wrong(field);
  out = value.get<bool>();
  return {};
}

Result<void> store(const WireField& field, const json& value, std::optional<std::string>& out) {
  if (!value.is_string()) return wrong(field);
  const auto& text = value.get_ref<const std::string&>();
  if (field.max > 0 && !in_range(field, static_cast<double>(text.size()))) return wrong(field);
  out = text;
  return {};
}

Result<void> store(const WireField& field, const json& value, std::optional<double>& out) {
  if (!value.is_number() || !in_range(field, value.get<double>())) return wrong(field);
  out = value.get<double>();
  return {};
}

Result<void> store(const WireField& field, const json& value, std::optional<std::int64_t>& out) {
  if (!value.is_number()) return wrong(field);
  const auto rounded = value.get<double>();
  if (field.above == Above::kClamp && rounded > field.max && is_whole(rounded)) {
    out = static_cast<std::int64_t>(field.max);
    return {};
  }
  out = exact_integer(value);
  // The limits are small or the ends of int64, where rounding to double does not matter.
  if (!out || !in_range(field, static_cast<double>(*out))) return wrong(field);
  return {};
}

}  // namespace

std::span<const WireField> wire_fields() { return kFields; }

std::string accepted_values(const WireField& field) {
  const auto number = [&](std::string_view noun) {
    if (field.max >= kInt64Max) return fmt::format("{} that fits in 64 bits with sign", noun);
    if (field.above == Above::kClamp) return fmt::format("{} of at least {}", noun, field.min);
    return fmt::format("{} from {} to {}", noun, field.min, field.max);
  };
  return std::visit(
      [&](auto member) -> std::string {
        using M = decltype(member);
        if constexpr (std::is_same_v<M, std::optional<bool> F::*>) return "true or false";
        if constexpr (std::is_same_v<M, std::optional<std::string> F::*>) {
          if (field.max == 0) return "a string";
          return fmt::format("a string of {} to {} bytes", field.min, field.max);
        }
        if constexpr (std::is_same_v<M, std::optional<double> F::*>) return number("a number");
        if constexpr (std::is_same_v<M, std::optional<std::int64_t> F::*>) {
          return number("an integer");
        }
        return std::string(field.help);
      },
      field.member);
}

Result<WireFields> read_wire_fields(const json& body, Endpoint endpoint) {
  WireFields out;
  for (const WireField& field : kFields) {
    if ((field.endpoints & static_cast<unsigned>(endpoint)) == 0) continue;
    const auto value = body.find(field.name);
    if (value == body.end() || value->is_null()) continue;
    auto stored = std::visit(
        [&](auto member) -> Result<void> {
          if constexpr (std::is_same_v<decltype(member), Structured>) {
            return {};
          } else {
            return store(field, *value, out.*member);
          }
        },
        field.member);
    if (!stored) return stored.error();
  }
  return out;
}

}  // namespace switchyard::api
