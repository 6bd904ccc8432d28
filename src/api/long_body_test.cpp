#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>

#include "api/http_server.h"
#include "api/test_client.h"
#include "api/test_engine.h"
#include "metrics/metrics.h"
#include "service/service.h"

namespace switchyard::api {
namespace {

constexpr std::size_t kLong = 20'000;  // bytes: the simulated context might hold them

/// A server with one HTTP thread, whose tokenizer stops at each long text until it is released.
class LongBodyTest : public testing::Test {
 protected:
  void SetUp() override {
    service_.start(std::make_unique<WatchedEngine>([this](std::string_view text) {
      if (text.size() < kLong) return;
      reached_.set_value();
      released_.get_future().wait();
    }));
    ServerOptions options;
    options.port = 0;
    options.http_threads = 1;
    server_ = std::make_unique<HttpServer>(options, service_, metrics_, "test");
    ASSERT_TRUE(server_->start());
  }
  void TearDown() override {
    service_.stop();
    server_->stop();
  }

  /// While the text in `request` is being tokenized, another client is answered; then this one is.
  std::string answer_beside_another(const std::string& request) {
    Client slow(server_->port());
    slow.send(request);
    slow.half_close();
    reached_.get_future().wait();
    Client other(server_->port());
    other.send(chat(R"({"messages":[{"role":"user","content":"hi"}],"max_tokens":4})"));
    other.half_close();
    EXPECT_TRUE(other.receive_all().starts_with("HTTP/1.1 200 "));
    released_.set_value();
    return slow.receive_all();
  }

  std::promise<void> reached_;
  std::promise<void> released_;
  metrics::Metrics metrics_;
  service::Service service_{{}, metrics_};
  std::unique_ptr<HttpServer> server_;
};

TEST_F(LongBodyTest, ALongTextToTokenizeKeepsNobodyWaiting) {
  const auto answer =
      answer_beside_another(post("/tokenize", R"({"content":")" + std::string(kLong, 'x') + "\"}"));
  EXPECT_NE(answer.find(R"("count":20000,)"), std::string::npos);
}

TEST_F(LongBodyTest, ALongPromptKeepsNobodyWaiting) {
  const auto answer = answer_beside_another(
      post("/v1/completions", R"({"prompt":")" + std::string(kLong, 'x') + "\"}"));
  EXPECT_NE(answer.find("the prompt has 20000 tokens"), std::string::npos);
}

TEST_F(LongBodyTest, ALongConversationKeepsNobodyWaiting) {
  const auto answer = answer_beside_another(
      chat(R"({"messages":[{"role":"user","content":")" + std::string(kLong, 'x') + "\"}]}"));
  EXPECT_NE(answer.find(R"("param":"messages")"), std::string::npos);
}

TEST_F(LongBodyTest, StoppingWaitsForTheTextInWorkAndEnds) {
  Client slow(server_->port());
  slow.send(post("/tokenize", R"({"content":")" + std::string(kLong, 'x') + "\"}"));
  reached_.get_future().wait();
  service_.begin_shutdown();
  server_->begin_drain();
  EXPECT_FALSE(server_->wait_idle(std::chrono::steady_clock::now()));
  released_.set_value();
  server_->stop();
  EXPECT_TRUE(server_->wait_idle(std::chrono::steady_clock::now()));
}

}  // namespace
}  // namespace switchyard::api
