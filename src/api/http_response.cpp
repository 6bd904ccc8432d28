#include "api/http_response.h"

#include <fmt/format.h>

#include <iterator>

#include "api/error_mapping.h"

namespace switchyard::api {
namespace {

constexpr int kNoContent = 204;

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case kNoContent:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

void append_connection(const Framing& framing, std::string& out) {
  if (!framing.keep_alive) {
    out += "Connection: close\r\n";
  } else if (framing.http_1_0) {
    out += "Connection: keep-alive\r\n";
  }
  if (!framing.request_id.empty()) {
    out += "x-request-id: ";
    out += framing.request_id;
    out += "\r\n";
  }
}

}  // namespace

HttpResponse error_response(const Error& error) {
  const ErrorMapping& mapping = error_mapping(error.code);
  HttpResponse out;
  out.status = mapping.status;
  out.body = error_body(error);
  out.retry_after_s = mapping.retry_after_s;
  return out;
}

std::string serialize(const HttpResponse& response, const Framing& framing) {
  std::string out;
  out.reserve(response.body.size() + 256);
  const auto append = std::back_inserter(out);
  fmt::format_to(append, "HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  if (response.status != kNoContent) {
    fmt::format_to(append, "Content-Type: {}\r\nContent-Length: {}\r\n", response.content_type,
                   response.body.size());
  }
  if (response.status == 401) out += "WWW-Authenticate: Bearer\r\n";
  if (!response.allow.empty()) fmt::format_to(append, "Allow: {}\r\n", response.allow);
  if (response.retry_after_s > 0) {
    fmt::format_to(append, "Retry-After: {}\r\n", response.retry_after_s);
  }
  append_connection(framing, out);
  out += "\r\n";
  if (!framing.head_only) out += response.body;
  return out;
}

std::string stream_header(const Framing& framing) {
  std::string out = fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no\r\n",
      kEventStream);
  if (!framing.http_1_0) out += "Transfer-Encoding: chunked\r\n";
  append_connection(framing, out);
  out += "\r\n";
  return out;
}

void frame_as_chunk(std::string& payload) {
  payload.insert(0, fmt::format("{:x}\r\n", payload.size()));
  payload += "\r\n";
}

}  // namespace switchyard::api
