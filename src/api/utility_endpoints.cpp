#include "api/utility_endpoints.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/json_body.h"
#include "api/json_writer.h"
#include "api/prompts.h"
#include "base/utf8.h"

namespace switchyard::api {
namespace {

using nlohmann::json;

void append_model(const service::Model& model, const service::Service& service, std::string& out) {
  out += R"({"id":)";
  append_json_string(model.id, out);
  out += R"(,"object":"model","created":0,"owned_by":"switchyard","max_model_len":)";
  append_json_integer(service.lane(model.lane).stream_capacity_tokens, out);
  out += '}';
}

Result<bool> read_bool(const json& body, const char* name, bool fallback) {
  const auto value = body.find(name);
  if (value == body.end() || value->is_null()) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  return Error{ErrorCode::kInvalidRequest, fmt::format("'{}' must be true or false", name), name};
}

}  // namespace

std::string models_body(const service::Service& service) {
  std::string out = R"({"object":"list","data":[)";
  for (const service::Model& model : service.models()) {
    if (out.back() == '}') out += ',';
    append_model(model, service, out);
  }
  out += "]}";
  return out;
}

Result<std::string> model_body(std::string_view id, const service::Service& service) {
  for (const service::Model& model : service.models()) {
    if (model.id != id) continue;
    std::string out;
    append_model(model, service, out);
    return out;
  }
  return Error{ErrorCode::kModelNotFound, "no such model: see /v1/models", "model"};
}

Result<std::string> tokenize_body(std::string_view request, const service::Service& service) {
  const auto body = parse_json_body(request);
  if (!body) return body.error();
  const char* field = body->contains("content") ? "content" : "prompt";
  const auto text = body->find(field);
  if (text == body->end() || !text->is_string()) {
    return Error{ErrorCode::kInvalidRequest, "'content' (or 'prompt') must be a string", "content"};
  }
  const auto add_special =
      read_bool(*body, body->contains("add_special") ? "add_special" : "add_special_tokens", false);
  if (!add_special) return add_special.error();
  const auto parse_special = read_bool(*body, "parse_special", true);
  if (!parse_special) return parse_special.error();

  const auto& content = text->get_ref<const std::string&>();
  const service::PromptLimit limit = service.prompt_limit(service.models().front().lane);
  if (auto fits = limit.check_text(content, *parse_special); !fits) {
    Error error = fits.error();
    error.param = field;
    return error;
  }
  const auto tokens = service.tokenizer().tokenize(content, *add_special, *parse_special);
  return fmt::format(R"({{"count":{},"max_model_len":{},"tokens":[{}]}})", tokens.size(),
                     service.lane(service.models().front().lane).stream_capacity_tokens,
                     fmt::join(tokens, ","));
}

Result<std::string> detokenize_body(std::string_view request, const service::Service& service) {
  const auto body = parse_json_body(request);
  if (!body) return body.error();
  const engine::Tokenizer& tokenizer = service.tokenizer();
  const auto list = body->find("tokens");
  const auto tokens =
      read_token_ids(list == body->end() ? json() : *list, tokenizer.vocabulary_size(), "tokens");
  if (!tokens) return tokens.error();
  std::string bytes;
  for (const core::TokenId token : *tokens) tokenizer.append_piece(token, true, bytes);
  std::string text;
  append_valid_utf8(bytes, text);
  std::string out = R"({"content":)";
  append_json_string(text, out);
  out += '}';
  return out;
}

}  // namespace switchyard::api
