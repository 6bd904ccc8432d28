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

Result<std::vector<Tokens>> chat_prompt(const nlohmann::json& body,
                                        const engine::Tokenizer& tokenizer) {
  const auto messages = read_messages(body);
  if (!messages) return messages.error();
  const auto text = tokenizer.apply_chat_template(*messages);
  if (!text) {
    return Error{ErrorCode::kInvalidRequest, text.error().message, "messages"};
  }
  // As llama-server: the template's own markers must become control tokens, so markers inside a
  // message do too.
  std::vector<Tokens> prompts;
  prompts.push_back(tokenizer.tokenize(*text, true, true));
  return prompts;
}

Result<std::vector<Tokens>> completion_prompts(const nlohmann::json& body,
                                               const engine::Tokenizer& tokenizer) {
  auto prompts = read_prompts(body, tokenizer.vocabulary_size());
  if (!prompts) return prompts.error();
  std::vector<Tokens> out;
  for (Prompt& prompt : *prompts) {
    if (auto* tokens = std::get_if<Tokens>(&prompt)) {
      out.push_back(std::move(*tokens));
    } else {
      out.push_back(tokenizer.tokenize(std::get<std::string>(prompt), true, true));
    }
    if (out.back().empty()) {
      return Error{ErrorCode::kInvalidRequest, "'prompt' must hold at least one token", "prompt"};
    }
  }
  return out;
}

service::GenerationRequest to_generation(const ValidRequest& request, Tokens prompt,
                                         const core::LaneInfo& lane, core::LaneId lane_id) {
  service::GenerationRequest out;
  out.lane = lane_id;
  const auto room = static_cast<std::int64_t>(lane.stream_capacity_tokens) -
                    static_cast<std::int64_t>(prompt.size());
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
  auto prompts = chat ? chat_prompt(*json, tokenizer) : completion_prompts(*json, tokenizer);
  if (!prompts) return prompts.error();
  if (static_cast<std::int64_t>(prompts->size()) * request->n > kMaxChoices) {
    return Error{ErrorCode::kInvalidRequest,
                 fmt::format("prompts times 'n' must be at most {}", kMaxChoices), "n"};
  }

  GenerationCall call;
  call.shape = {endpoint,
                fmt::format("{}-{}", chat ? "chatcmpl" : "cmpl", request_id),
                model->id,
                unix_seconds(),
                request->sampling.top_logprobs >= 0,
                request->include_usage};
  for (Tokens& prompt : *prompts) {
    call.requests.push_back(
        to_generation(*request, std::move(prompt), service.lane(model->lane), model->lane));
  }
  return call;
}

}  // namespace switchyard::api
