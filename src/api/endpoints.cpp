#include "api/endpoints.h"

#include <utility>

#include "api/error_mapping.h"
#include "api/json_writer.h"
#include "api/utility_endpoints.h"

namespace switchyard::api {
namespace {

using State = service::Service::State;

HttpResponse json_response(std::string body) {
  HttpResponse out;
  out.body = std::move(body);
  return out;
}

HttpResponse json_response(Result<std::string> body) {
  return body ? json_response(std::move(*body)) : error_response(body.error());
}

// The error of a service that is not ready, nullopt if it is.
std::optional<Error> not_ready(State state) {
  switch (state) {
    case State::kLoading:
      return Error{ErrorCode::kLoading, "the model is still loading", {}};
    case State::kStopping:
      return Error{ErrorCode::kShuttingDown, "the server is shutting down", {}};
    case State::kReady:
      break;
  }
  return std::nullopt;
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
  if (const auto error = not_ready(service_.state())) return error_response(*error);
  if (route == Route::kHealth) return json_response(std::string(R"({"status":"ok"})"));
  if (route == Route::kModels) return json_response(models_body(service_));
  if (route == Route::kModel) return json_response(model_body(model_of_path(path), service_));
  if (route == Route::kTokenize) return json_response(tokenize_body(body, service_));
  return json_response(detokenize_body(body, service_));
}

Result<GenerationCall> Endpoints::prepare(Endpoint endpoint, std::string_view body,
                                          std::string_view request_id) const {
  if (auto error = not_ready(service_.state())) return std::move(*error);
  return prepare_generation(endpoint, body, request_id, service_);
}

Result<Endpoints::Generations> Endpoints::submit(GenerationCall& call,
                                                 const std::function<void()>& wake) const {
  Generations generations;
  generations.reserve(call.requests.size());
  for (service::GenerationRequest& request : call.requests) {
    metrics_.on_received();
    auto generation = service_.submit(std::move(request), wake);
    if (!generation) {
      Error error = generation.error();
      metrics_.on_rejected(std::string(error_mapping(error.code).label));
      const bool chat = call.shape.endpoint == Endpoint::kChat;
      if (error.code == ErrorCode::kContextLengthExceeded && chat) error.param = "messages";
      return error;
    }
    generations.push_back(std::move(*generation));
  }
  return generations;
}

}  // namespace switchyard::api
