#include "api/generation_call.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "api/test_engine.h"
#include "metrics/metrics.h"
#include "service/service.h"

namespace switchyard::api {
namespace {

using testing::HasSubstr;

/// On a context of 4,096 tokens; the longest piece of its vocabulary has 13 bytes.
class GenerationCallTest : public testing::Test {
 protected:
  void SetUp() override {
    service_.start(std::make_unique<WatchedEngine>([this](std::string_view) { ++tokenized_; }));
  }
  Result<GenerationCall> prepare(const std::string& body,
                                 Endpoint endpoint = Endpoint::kCompletion) const {
    return prepare_generation(endpoint, body, "id", service_);
  }
  static std::string chat_of(std::size_t bytes) {
    return R"({"messages":[{"role":"user","content":")" + std::string(bytes, 'x') + "\"}]}";
  }

  int tokenized_ = 0;
  metrics::Metrics metrics_;
  service::Service service_{{}, metrics_};
};

TEST_F(GenerationCallTest, ATextThatCannotFitIsNotTokenized) {
  const auto completion = prepare(R"({"prompt":")" + std::string(8'000'000, ' ') + "\"}");
  ASSERT_FALSE(completion);
  EXPECT_EQ(completion.error().code, ErrorCode::kContextLengthExceeded);
  EXPECT_EQ(completion.error().param, "prompt");
  EXPECT_THAT(completion.error().message, HasSubstr("4096"));
  EXPECT_THAT(completion.error().message, HasSubstr("at least 615385 tokens"));
  const auto chat = prepare(chat_of(8'000'000), Endpoint::kChat);
  ASSERT_FALSE(chat);
  EXPECT_EQ(chat.error().code, ErrorCode::kContextLengthExceeded);
  EXPECT_EQ(chat.error().param, "messages");
  EXPECT_EQ(tokenized_, 0);
}

TEST_F(GenerationCallTest, OneTextThatCannotFitKeepsTheOthersFromBeingTokenized) {
  EXPECT_FALSE(prepare(R"({"prompt":["a","b",")" + std::string(60'000, 'x') + "\"]}"));
  EXPECT_EQ(tokenized_, 0);
}

TEST_F(GenerationCallTest, TooManyChoicesAreRefusedBeforeTheirPromptsAreTokenized) {
  const auto refused = prepare(R"({"prompt":["a","b"],"n":65})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().param, "n");
  EXPECT_EQ(tokenized_, 0);
  EXPECT_TRUE(prepare(R"({"prompt":["a","b"],"n":64})"));
}

TEST_F(GenerationCallTest, EveryPromptCarriesTheSalt) {
  const auto call = prepare(R"({"prompt":["a","b"],"n":2,"cache_salt":"tenant"})");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->choices, 4);
  for (const auto& request : call->requests) EXPECT_EQ(request.cache_salt, "tenant");
  EXPECT_EQ(prepare(R"({"prompt":"a"})")->requests.front().cache_salt, "");
}

TEST_F(GenerationCallTest, LogprobsOfAllChoicesTogetherAreBounded) {
  // 128 × 341 × 6 = 261,888 and 128 × 342 × 6 = 262,656 on both sides of 262,144.
  EXPECT_TRUE(prepare(R"({"prompt":"a","n":128,"max_tokens":341,"logprobs":5})"));
  for (const char* body : {R"({"prompt":"a","n":128,"max_tokens":342,"logprobs":5})",
                           R"({"prompt":["a","b"],"n":64,"max_tokens":342,"logprobs":5})"}) {
    const auto refused = prepare(body);
    ASSERT_FALSE(refused) << body;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidRequest);
    EXPECT_EQ(refused.error().param, "logprobs");
    EXPECT_THAT(refused.error().message, HasSubstr("262656"));
    EXPECT_THAT(refused.error().message, HasSubstr("262144"));
  }
  EXPECT_TRUE(prepare(R"({"prompt":"a","n":128,"max_tokens":4000})")) << "without logprobs";
}

TEST_F(GenerationCallTest, LogprobsOfAChatCountWhatFitsBehindThePrompt) {
  const std::string body = R"({"messages":[{"role":"user","content":"a"}],"logprobs":true,)";
  EXPECT_TRUE(prepare(body + R"("top_logprobs":20,"n":3})", Endpoint::kChat));
  const auto refused = prepare(body + R"("top_logprobs":20,"n":4})", Endpoint::kChat);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().param, "top_logprobs");
}

}  // namespace
}  // namespace switchyard::api
