#include "api/generation_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "api/chat_messages.h"
#include "api/json_body.h"
#include "api/limits.h"
#include "api/prompts.h"
#include "api/random_id.h"
#include "api/valid_request.h"

namespace switchyard::api {
namespace {

using Tokens = std::vector<core::TokenId>;

std::int64_t unix_seconds() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch())
      .count();
}

// As llama-server: the template's own markers must become control tokens, so markers inside a
// message do too; completions are read alike.
constexpr bool kAddSpecial = true;
constexpr bool kParseSpecial = true;

Result<std::vector<Prompt>> chat_prompt(const nlohmann::json& body,
                                        const engine::Tokenizer& tokenizer) {
  const auto messages = read_messages(body);
  if (!messages) return messages.error();
  auto text = tokenizer.apply_chat_template(*messages);
  if (!text) {
    return Error{ErrorCode::kInvalidRequest, text.error().message, "messages"};
  }
  std::vector<Prompt> prompts;
  prompts.emplace_back(std::move(*text));
  return prompts;
}

// No text is tokenized before all of them are known to be short enough for it.
Result<std::vector<Tokens>> tokenize(std::vector<Prompt> prompts, const service::PromptLimit& limit,
                                     const engine::Tokenizer& tokenizer) {
  for (const Prompt& prompt : prompts) {
    const auto* text = std::get_if<std::string>(&prompt);
    if (text == nullptr) continue;
    if (auto fits = limit.check_text(*text, kParseSpecial); !fits) return fits.error();
  }
  std::vector<Tokens> out;
  for (Prompt& prompt : prompts) {
    if (auto* tokens = std::get_if<Tokens>(&prompt)) {
      out.push_back(std::move(*tokens));
    } else {
      out.push_back(tokenizer.tokenize(std::get<std::string>(prompt), kAddSpecial, kParseSpecial));
    }
    if (out.back().empty()) {
      return Error{ErrorCode::kInvalidRequest, "'prompt' must hold at least one token", "prompt"};
    }
  }
  return out;
}

service::GenerationRequest to_generation(const ValidRequest& request, Tokens prompt,
                                         std::int64_t context_tokens, core::LaneId lane) {
  service::GenerationRequest out;
  out.lane = lane;
  const std::int64_t room = context_tokens - static_cast<std::int64_t>(prompt.size());
  // No room at all is refused by the service, which knows both counts.
  out.max_tokens = static_cast<std::int32_t>(
      std::max<std::int64_t>(1, std::min<std::int64_t>(request.max_tokens, room)));
  out.prompt = std::move(prompt);
  out.n = request.n;
  out.sampling = request.sampling;
  out.sampling.min_tokens = std::min(out.sampling.min_tokens, out.max_tokens);
  out.stop = request.stop;
  out.cache_salt = request.cache_salt;
  out.stream = request.stream;
  return out;
}

// What the answer may hold until it is sent.
Result<void> check_logprob_total(const GenerationCall& call) {
  const core::SamplingParams& sampling = call.requests.front().sampling;
  if (sampling.top_logprobs < 0) return {};
  std::int64_t tokens = 0;
  for (const service::GenerationRequest& request : call.requests) {
    tokens += std::int64_t{request.n} * request.max_tokens;
  }
  const std::int64_t total = tokens * (1 + sampling.top_logprobs);
  if (total <= kMaxLogprobTotal) return {};
  const char* field = call.shape.endpoint == Endpoint::kChat ? "top_logprobs" : "logprobs";
  return Error{ErrorCode::kInvalidRequest,
               fmt::format("tokens of all choices (at most {}) times 1 + '{}' ({}) is {}; the most "
                           "is {}: lower 'max_tokens', 'n' or '{}'",
                           tokens, field, sampling.top_logprobs, total, kMaxLogprobTotal, field),
               field};
}

// The model named, or the first.
Result<service::Model> find_model(const std::string& id, const service::Service& service) {
  if (id.empty()) return service.models().front();
  const auto lane = service.find_model(id);
  if (!lane) return lane.error();
  return service::Model{id, *lane};  // known, so the client's spelling is ours
}

}  // namespace

Result<GenerationCall> prepare_generation(Endpoint endpoint, std::string_view body,
                                          std::string_view request_id,
                                          const service::Service& service) {
  const engine::Tokenizer& tokenizer = service.tokenizer();
  const auto json = parse_json_body(body);
  if (!json) return json.error();
  auto wire = read_wire_request(*json, endpoint);
  if (!wire) return wire.error();
  const auto request =
      validate(std::move(*wire), endpoint, tokenizer.vocabulary_size(), random_seed());
  if (!request) return request.error();
  const auto model = find_model(request->model, service);
  if (!model) return model.error();

  const bool chat = endpoint == Endpoint::kChat;
  auto prompts =
      chat ? chat_prompt(*json, tokenizer) : read_prompts(*json, tokenizer.vocabulary_size());
  if (!prompts) return prompts.error();
  const std::int64_t choices = static_cast<std::int64_t>(prompts->size()) * request->n;
  if (choices > kMaxChoices) {
    return Error{ErrorCode::kInvalidRequest,
                 fmt::format("prompts times 'n' must be at most {}", kMaxChoices), "n"};
  }
  const service::PromptLimit limit = service.prompt_limit(model->lane);
  auto tokens = tokenize(std::move(*prompts), limit, tokenizer);
  if (!tokens) return name_prompt_field(tokens.error(), endpoint);

  GenerationCall call;
  call.shape = {endpoint,
                fmt::format("{}-{}", chat ? "chatcmpl" : "cmpl", request_id),
                model->id,
                unix_seconds(),
                request->sampling.top_logprobs >= 0,
                request->include_usage};
  call.stream = request->stream;
  call.choices_per_request = request->n;
  call.choices = static_cast<int>(choices);
  for (Tokens& prompt : *tokens) {
    call.requests.push_back(
        to_generation(*request, std::move(prompt), limit.context_tokens(), model->lane));
  }
  if (auto bounded = check_logprob_total(call); !bounded) return bounded.error();
  return call;
}

Error name_prompt_field(Error error, Endpoint endpoint) {
  if (endpoint == Endpoint::kChat && error.param == "prompt") error.param = "messages";
  return error;
}

}  // namespace switchyard::api
