#include "api/error_mapping.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace switchyard::api {
namespace {

TEST(ErrorMapping, EveryCodeHasARow) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    const ErrorMapping& mapping = error_mapping(static_cast<ErrorCode>(code));
    EXPECT_GE(mapping.status, 400);
    EXPECT_FALSE(mapping.label.empty());
  }
}

TEST(ErrorMapping, OverloadAndLoadingSayWhenToComeBack) {
  for (const ErrorCode code : {ErrorCode::kQueueFull, ErrorCode::kQueueTimeout, ErrorCode::kLoading,
                               ErrorCode::kShuttingDown}) {
    EXPECT_GT(error_mapping(code).retry_after_s, 0);
  }
  EXPECT_EQ(error_mapping(ErrorCode::kQueueFull).status, 429);
  EXPECT_EQ(error_mapping(ErrorCode::kLoading).status, 503);
}

TEST(ErrorMapping, BodyIsTheOpenAiErrorObject) {
  const auto body = nlohmann::json::parse(
      error_body({ErrorCode::kContextLengthExceeded, "too \"long\"\n", "messages"}));
  EXPECT_EQ(body["error"]["message"], "too \"long\"\n");
  EXPECT_EQ(body["error"]["type"], "invalid_request_error");
  EXPECT_EQ(body["error"]["param"], "messages");
  EXPECT_EQ(body["error"]["code"], "context_length_exceeded");
}

TEST(ErrorMapping, ParamIsNullWithoutAField) {
  const auto body = nlohmann::json::parse(error_body({ErrorCode::kQueueFull, "x", {}}));
  EXPECT_TRUE(body["error"]["param"].is_null());
}

}  // namespace
}  // namespace switchyard::api
