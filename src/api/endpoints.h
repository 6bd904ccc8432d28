#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/auth.h"
#include "api/generation_call.h"
#include "api/http_response.h"
#include "api/router.h"
#include "metrics/metrics.h"
#include "service/service.h"

namespace switchyard::api {

/// The part of a request header that decides what happens. Views into the parser.
struct RequestHead {
  std::string_view method;
  std::string_view target;
  std::string_view authorization;
};

/// Everything between a parsed HTTP request and the service, free of sockets. Any thread.
class Endpoints {
 public:
  Endpoints(Auth auth, service::Service& service, metrics::Metrics& metrics, std::string version)
      : auth_(std::move(auth)),
        service_(service),
        metrics_(metrics),
        version_(std::move(version)) {}

  /// What can be answered before the body is read: no key, unknown path, wrong method, OPTIONS.
  std::optional<HttpResponse> answer_head(const RequestHead& head) const;

  /// Any route but the two that generate. Precondition: answer_head() let it pass.
  HttpResponse answer(Route route, std::string_view path, std::string_view body) const;

  /// Parses a generation request; kLoading or kShuttingDown unless the service is ready.
  Result<GenerationCall> prepare(Endpoint endpoint, std::string_view body,
                                 std::string_view request_id) const;

  using Generations = service::Service::Generations;
  /// Submits call.requests (moved from), all or none, and counts them.
  Result<Generations> submit(GenerationCall& call, const std::function<void()>& wake) const;

  void count_response(int status) const { metrics_.on_http(status); }

 private:
  void count_rejected(const Error& error, std::size_t requests) const;

  Auth auth_;
  service::Service& service_;
  metrics::Metrics& metrics_;
  std::string version_;
};

}  // namespace switchyard::api
