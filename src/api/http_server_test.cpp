#include "api/http_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "api/test_client.h"
#include "engine/sim/sim_engine.h"
#include "metrics/metrics.h"
#include "service/service.h"

namespace switchyard::api {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr std::string_view kShort =
    R"({"messages":[{"role":"user","content":"hi"}],"max_tokens":4})";
constexpr std::string_view kLongStream =
    R"({"messages":[{"role":"user","content":"hi"}],"max_tokens":4000,"ignore_eos":true,"stream":true})";

int count(std::string_view text, std::string_view part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

class HttpServerTest : public testing::Test {
 protected:
  void start(ServerOptions options = {}, double engine_speed = 1) {
    options.port = 0;
    engine::SimOptions sim;
    sim.speed = engine_speed;
    auto engine = engine::make_sim_engine(sim);
    ASSERT_TRUE(engine);
    service_.start(std::move(*engine));
    server_ = std::make_unique<HttpServer>(options, service_, metrics_, "test");
    const auto started = server_->start();
    ASSERT_TRUE(started) << started.error().message;
  }
  void TearDown() override {
    service_.stop();
    if (server_) server_->stop();
  }
  /// Sends `request` on its own connection; the answer up to the server's close.
  std::string ask(const std::string& request) const {
    Client client(server_->port());
    client.send(request);
    client.half_close();
    return client.receive_all();
  }
  bool still_serves() const { return ask(chat(kShort)).starts_with("HTTP/1.1 200 "); }

  metrics::Metrics metrics_;
  service::Service service_{{}, metrics_};
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, AHalfClosedClientGetsItsAnswer) {
  start();
  const auto answer = ask(chat(kShort));
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_NE(answer.find(R"("finish_reason":"length")"), std::string::npos);
  EXPECT_NE(answer.find(R"("completion_tokens":4)"), std::string::npos);
}

TEST_F(HttpServerTest, AStreamEndsInOneDoneAndTheConnectionLivesOn) {
  start();
  Client client(server_->port());
  const std::string request = R"({"prompt":"hi","max_tokens":3,"stream":true})";
  client.send(post("/v1/completions", request));
  const auto first = client.receive_until("\r\n0\r\n\r\n");
  EXPECT_NE(first.find(": ok\n\n"), std::string::npos);
  EXPECT_EQ(count(first, "data: [DONE]"), 1);
  client.send(post("/v1/completions", request));
  client.half_close();
}

TEST_F(HttpServerTest, PipelinedRequestsAreAnsweredInOrder) {
  start();
  Client client(server_->port());
  client.send(chat(kShort) + "GET /nowhere HTTP/1.1\r\n\r\n" + chat(kShort) +
              "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n");
  const auto answers = client.receive_all();
  EXPECT_EQ(count(answers, "HTTP/1.1 200 OK"), 3);
  EXPECT_EQ(count(answers, "HTTP/1.1 404"), 1);
  EXPECT_LT(answers.find("chat.completion"), answers.find("HTTP/1.1 404"));
  EXPECT_NE(answers.find("Connection: close"), std::string::npos);
}

TEST_F(HttpServerTest, ABodyThatArrivesInPiecesIsOneRequest) {
  start();
  Client client(server_->port());
  for (const char c : chat(kShort)) client.send({&c, 1});
  client.half_close();
  EXPECT_TRUE(client.receive_all().starts_with("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, AChunkedBodyIsRead) {
  start();
  EXPECT_TRUE(ask("POST /tokenize HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                  "8\r\n{\"conten\r\n8\r\nt\":\"ab\"}\r\n0\r\n\r\n")
                  .ends_with(R"("tokens":[97,98]})"));
}

TEST_F(HttpServerTest, ContinueIsSentBeforeTheBody) {
  start();
  Client client(server_->port());
  client.send("POST /tokenize HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 15\r\n\r\n");
  EXPECT_EQ(client.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send(R"({"content":"a"})");
  EXPECT_NE(client.receive_until("tokens").find("HTTP/1.1 200 OK"), std::string::npos);
}

TEST_F(HttpServerTest, WrongMethodsAndPathsAreNamed) {
  start();
  const auto wrong_method = ask("GET /v1/completions HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(wrong_method.starts_with("HTTP/1.1 405 "));
  EXPECT_NE(wrong_method.find("Allow: POST, OPTIONS\r\n"), std::string::npos);
  EXPECT_TRUE(ask("GET /x\xFF HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 40"));
  EXPECT_TRUE(ask("OPTIONS /health HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 204 "));
  EXPECT_TRUE(still_serves());
}

TEST_F(HttpServerTest, WhatIsNotHttpIsRefused) {
  start();
  for (const std::string text :
       {"\x16\x03\x01\x02\x01", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        "POST /tokenize HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST /tokenize HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n"}) {
    EXPECT_TRUE(ask(text + "\r\n\r\n").starts_with("HTTP/1.1 4"));
  }
  EXPECT_TRUE(still_serves());
}

TEST_F(HttpServerTest, ABodyOverTheLimitIsRefusedUnread) {
  ServerOptions options;
  options.max_body_bytes = 1000;
  start(options);
  EXPECT_TRUE(
      ask("POST /tokenize HTTP/1.1\r\nContent-Length: 1001\r\n\r\n").starts_with("HTTP/1.1 413 "));
  EXPECT_TRUE(ask(post("/tokenize", std::string(1001, 'x'))).starts_with("HTTP/1.1 413 "));
  EXPECT_TRUE(ask("POST /tokenize HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" +
                  std::string(1001, 'x') + "\r\n0\r\n\r\n")
                  .starts_with("HTTP/1.1 413 "));
  EXPECT_TRUE(still_serves());
}

TEST_F(HttpServerTest, BodiesOfAllClientsTogetherAreBounded) {
  ServerOptions options;
  options.max_total_body_bytes = 1000;
  options.http_threads = 1;  // reads the slow body before it accepts the next client
  start(options);
  Client slow(server_->port());
  slow.send("POST /tokenize HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 900\r\n\r\n");
  slow.receive_until("100 Continue");
  slow.send(std::string(800, 'x'));
  const auto other = [&] { return ask(post("/tokenize", std::string(500, 'x'))); };
  EXPECT_TRUE(other().starts_with("HTTP/1.1 429 "));
  slow.send(std::string(100, 'x'));
  EXPECT_NE(slow.receive_until("HTTP/1.1 400").find("HTTP/1.1 400"), std::string::npos);
  EXPECT_TRUE(other().starts_with("HTTP/1.1 400 "));
}

TEST_F(HttpServerTest, AHeaderOverTheLimitIsRefused) {
  start();
  EXPECT_TRUE(ask("GET /health HTTP/1.1\r\nX: " + std::string(20'000, 'a') + "\r\n\r\n")
                  .starts_with("HTTP/1.1 431 "));
  EXPECT_TRUE(still_serves());
}

TEST_F(HttpServerTest, ARequestThatNeverEndsIsTimedOut) {
  ServerOptions options;
  options.request_timeout = seconds(1);
  start(options);
  Client client(server_->port());
  client.send("POST /tokenize HTTP/1.1\r\nContent-Length: 10\r\n\r\n{");
  EXPECT_TRUE(client.receive_until("\r\n\r\n").starts_with("HTTP/1.1 408 "));
}

TEST_F(HttpServerTest, WithKeysOnlyHealthIsOpen) {
  ServerOptions options;
  options.api_keys = {"secret"};
  start(options);
  EXPECT_TRUE(ask("GET /health HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 200 "));
  for (const char* path : {"/metrics", "/v1/models", "/version", "/nowhere"}) {
    EXPECT_TRUE(ask(std::string("GET ") + path + " HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 401 "))
        << path;
  }
  EXPECT_TRUE(ask(chat(kShort)).starts_with("HTTP/1.1 401 "));
  EXPECT_TRUE(ask(post("/v1/chat/completions", kShort, "Authorization: Bearer secret\r\n"))
                  .starts_with("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, RequestIdIsEchoedIfItIsClean) {
  start();
  EXPECT_NE(ask(post("/v1/chat/completions", kShort, "X-Request-Id: abc-1\r\n"))
                .find("x-request-id: abc-1\r\n"),
            std::string::npos);
  const auto answer = ask(post("/v1/chat/completions", kShort, "X-Request-Id: a<b>\r\n"));
  EXPECT_EQ(answer.find("a<b>"), std::string::npos);
  EXPECT_NE(answer.find("x-request-id: "), std::string::npos);
}

TEST_F(HttpServerTest, AStreamWhoseClientClosesIsCancelled) {
  start({}, 0.01);  // the whole stream would take over a minute
  {
    Client client(server_->port());
    client.send(chat(kLongStream));
    client.receive_until("data: ");
  }
  server_->begin_drain();
  EXPECT_TRUE(server_->wait_idle(steady_clock::now() + seconds(10)));
}

TEST_F(HttpServerTest, WhileDrainingStreamsFinishAndNewRequestsAreRefused) {
  start();
  Client client(server_->port());
  client.send(chat(kLongStream));
  client.receive_until("data: ");
  service_.begin_shutdown();
  server_->begin_drain();
  EXPECT_TRUE(ask(chat(kShort)).starts_with("HTTP/1.1 503 "));
  EXPECT_TRUE(server_->wait_idle(steady_clock::now() + seconds(30)));
  EXPECT_EQ(count(client.receive_all(), "data: [DONE]"), 1);
}

TEST_F(HttpServerTest, StoppingEndsAnOpenStream) {
  start();
  Client client(server_->port());
  client.send(chat(kLongStream));
  client.receive_until("data: ");
  server_->stop();
  EXPECT_EQ(count(client.receive_all(), "data: [DONE]"), 0);
}

TEST_F(HttpServerTest, ATakenPortIsOneClearLine) {
  start();
  ServerOptions options;
  options.port = server_->port();
  HttpServer second(options, service_, metrics_, "test");
  const auto started = second.start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kIo);
  EXPECT_NE(started.error().message.find(std::to_string(server_->port())), std::string::npos);
  EXPECT_EQ(started.error().message.find('\n'), std::string::npos);
}

TEST(HttpServer, WithoutAModelItSaysThatItIsLoading) {
  metrics::Metrics metrics;
  service::Service service({}, metrics);
  ServerOptions options;
  options.port = 0;
  HttpServer server(options, service, metrics, "test");
  ASSERT_TRUE(server.start());
  for (const std::string& request :
       {std::string("GET /health HTTP/1.1\r\n\r\n"), std::string("GET /v1/models HTTP/1.1\r\n\r\n"),
        chat(kShort)}) {
    Client client(server.port());
    client.send(request);
    client.half_close();
    const auto answer = client.receive_all();
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 503 "));
    EXPECT_NE(answer.find("Retry-After: "), std::string::npos);
  }
}

}  // namespace
}  // namespace switchyard::api
