#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace switchyard::api {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kEventStream = "text/event-stream; charset=utf-8";
constexpr std::string_view kPrometheusText = "text/plain; version=0.0.4; charset=utf-8";

/// A complete answer.
struct HttpResponse {
  int status = 200;
  std::string_view content_type = kJson;
  std::string body = {};
  std::string_view allow = {};  ///< Allow header, "" = none
  int retry_after_s = 0;        ///< Retry-After header, 0 = none
};

HttpResponse error_response(const Error& error);

/// How an answer is sent on its connection.
struct Framing {
  bool keep_alive = true;
  bool http_1_0 = false;             ///< the request's version: no chunks, keep-alive must be said
  bool head_only = false;            ///< HEAD: header as for GET, no body
  std::string_view request_id = {};  ///< x-request-id, "" = none
};

/// The bytes of the whole answer.
std::string serialize(const HttpResponse& response, const Framing& framing);

/// The header of an event stream, its body chunked unless HTTP/1.0.
std::string stream_header(const Framing& framing);

/// Makes `payload` (not empty) one chunk of a chunked body, in place.
void frame_as_chunk(std::string& payload);
constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace switchyard::api
