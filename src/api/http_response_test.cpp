#include "api/http_response.h"

#include <gtest/gtest.h>

#include <string>

namespace switchyard::api {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(HttpResponse, SaysTheLengthOfItsBody) {
  HttpResponse response;
  response.body = "{}";
  EXPECT_EQ(serialize(response, {}),
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
}

TEST(HttpResponse, HeadHasTheHeaderOfGetAndNoBody) {
  HttpResponse response;
  response.body = "abc";
  const auto text = serialize(response, {.head_only = true});
  EXPECT_TRUE(contains(text, "Content-Length: 3\r\n"));
  EXPECT_TRUE(text.ends_with("\r\n\r\n"));
}

TEST(HttpResponse, ClosingAndOldConnectionsAreSaid) {
  EXPECT_TRUE(contains(serialize({}, {.keep_alive = false}), "Connection: close\r\n"));
  EXPECT_TRUE(contains(serialize({}, {.http_1_0 = true}), "Connection: keep-alive\r\n"));
  EXPECT_FALSE(contains(serialize({}, {}), "Connection:"));
}

TEST(HttpResponse, ErrorsCarryTheirHeaders) {
  const auto overload = serialize(error_response({ErrorCode::kQueueFull, "x", {}}), {});
  EXPECT_TRUE(overload.starts_with("HTTP/1.1 429 "));
  EXPECT_TRUE(contains(overload, "Retry-After: 1\r\n"));
  const auto shut = serialize(error_response({ErrorCode::kUnauthorized, "x", {}}), {});
  EXPECT_TRUE(contains(shut, "WWW-Authenticate: Bearer\r\n"));
}

TEST(HttpResponse, StreamsAreChunkedExceptForOldClients) {
  EXPECT_TRUE(contains(stream_header({}), "Transfer-Encoding: chunked\r\n"));
  EXPECT_FALSE(contains(stream_header({.http_1_0 = true}), "chunked"));
}

TEST(HttpResponse, AChunkSaysItsSizeInHex) {
  std::string payload(26, 'x');
  frame_as_chunk(payload);
  EXPECT_EQ(payload, "1a\r\n" + std::string(26, 'x') + "\r\n");
}

}  // namespace
}  // namespace switchyard::api
