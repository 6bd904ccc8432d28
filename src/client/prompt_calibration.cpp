#include "client/prompt_calibration.h"

#include <fmt/format.h>

#include <utility>

#include "client/stream_event.h"

namespace switchyard::client {
namespace {

// Far enough apart for the slope, short enough for any context.
constexpr int kFewWords = 32;
constexpr int kManyWords = 232;

Result<std::int64_t> tokens_of(HttpCall& target, const BodyOptions& body, int words) {
  workload::Session session;
  session.messages.push_back(
      {workload::Role::kUser, workload::synthetic_words(words, static_cast<std::uint64_t>(words))});
  target.path = "/v1/chat/completions";
  target.body = chat_body(session, {1, 1, 0}, body);
  const auto answer = call(target);
  if (!answer) return answer.error();
  const auto usage = usage_of(answer->body);
  if (answer->status != 200 || !usage || usage->prompt_tokens <= 0) {
    return Error{ErrorCode::kIo,
                 fmt::format("status {} without usage in the answer", answer->status), ""};
  }
  return usage->prompt_tokens;
}

}  // namespace

Result<workload::PromptScale> calibrate_prompts(HttpCall target, BodyOptions body) {
  body.stream = false;
  const auto few = tokens_of(target, body, kFewWords);
  if (!few) return few.error();
  const auto many = tokens_of(target, body, kManyWords);
  if (!many) return many.error();
  if (*many <= *few) return Error{ErrorCode::kIo, "its usage does not grow with the prompt", ""};
  workload::PromptScale scale;
  scale.tokens_per_word = static_cast<double>(*many - *few) / (kManyWords - kFewWords);
  scale.overhead_tokens = static_cast<double>(*few) - kFewWords * scale.tokens_per_word;
  return scale;
}

}  // namespace switchyard::client
