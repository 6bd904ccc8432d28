#include "api/endpoints.h"

#include <utility>

#include "api/error_mapping.h"
#include "api/json_writer.h"
#include "api/utility_endpoints.h"

namespace switchyard::api {
namespace {

HttpResponse json_response(std::string body) {
  HttpResponse out;
  out.body = std::move(body);
  return out;
}

HttpResponse json_response(Result<std::string> body) {
  return body ? json_response(std::move(*body)) : error_response(body.error());
}

}  // namespace

std::optional<HttpResponse> Endpoints::answer_head(const RequestHead& head) const {
  const Route route = find_route(path_of(head.target));
  if (route != Route::kHealth && !auth_.allows(head.authorization)) {
    return error_response(
        {ErrorCode::kUnauthorized, "send a valid API key as 'Authorization: Bearer KEY'", {}});
  }
  if (route == Route::kUnknown) {
    return error_response({ErrorCode::kNotFound, "no such path", {}});
  }
  if (!allows_method(route, head.method)) {
    auto response = error_response(
        {ErrorCode::kMethodNotAllowed, "this path has no such method: see the Allow header", {}});
    response.allow = allowed_methods(route);
    return response;
  }
  if (head.method == "OPTIONS") {
    HttpResponse response;
    response.status = 204;
    response.allow = allowed_methods(route);
    return response;
  }
  return std::nullopt;
}

HttpResponse Endpoints::answer(Route route, std::string_view path, std::string_view body) const {
  if (route == Route::kMetrics) {
    HttpResponse response;
    response.content_type = kPrometheusText;
    response.body = metrics_.render();
    return response;
  }
  if (route == Route::kVersion) {
    std::string text = R"({"version":)";
    append_json_string(version_, text);
    return json_response(text + "}");
  }
  if (const auto error = service_.not_ready()) return error_response(*error);
  if (route == Route::kHealth) return json_response(std::string(R"({"status":"ok"})"));
  if (route == Route::kModels) return json_response(models_body(service_));
  if (route == Route::kModel) return json_response(model_body(model_of_path(path), service_));
  if (route == Route::kTokenize) return json_response(tokenize_body(body, service_));
  return json_response(detokenize_body(body, service_));
}

Result<GenerationCall> Endpoints::prepare(Endpoint endpoint, std::string_view body,
                                          std::string_view request_id) const {
  if (auto error = service_.not_ready()) return std::move(*error);
  auto call = prepare_generation(endpoint, body, request_id, service_);
  // A prompt that is too long is well-formed, whether its tokens had to be counted or not.
  if (!call && call.error().code == ErrorCode::kContextLengthExceeded) {
    metrics_.on_received(1);
    count_rejected(call.error(), 1);
  }
  return call;
}

Result<Endpoints::Generations> Endpoints::submit(GenerationCall& call,
                                                 const std::function<void()>& wake) const {
  const std::size_t requests = call.requests.size();
  metrics_.on_received(requests);
  auto generations = service_.submit(std::move(call.requests), wake);
  if (generations) return generations;
  count_rejected(generations.error(), requests);
  return name_prompt_field(generations.error(), call.shape.endpoint);
}

void Endpoints::count_rejected(const Error& error, std::size_t requests) const {
  metrics_.on_rejected(std::string(error_mapping(error.code).label), requests);
}

}  // namespace switchyard::api
