#include "api/router.h"

#include <gtest/gtest.h>

namespace switchyard::api {
namespace {

TEST(Router, FindsPathsWithAndWithoutQuery) {
  EXPECT_EQ(find_route(path_of("/v1/chat/completions")), Route::kChatCompletions);
  EXPECT_EQ(find_route(path_of("/health?x=1")), Route::kHealth);
  EXPECT_EQ(find_route("/v1/models"), Route::kModels);
  EXPECT_EQ(find_route("/v1/models/a:b"), Route::kModel);
}

TEST(Router, OtherPathsAreUnknown) {
  for (const char* path : {"", "/", "/v1", "/v1/models/", "/v1/chat/completions/", "//health",
                           "/HEALTH", "/\xFF", "*"}) {
    EXPECT_EQ(find_route(path), Route::kUnknown) << path;
  }
}

TEST(Router, MethodsAreThoseOfTheAllowHeader) {
  EXPECT_TRUE(allows_method(Route::kHealth, "GET"));
  EXPECT_TRUE(allows_method(Route::kHealth, "HEAD"));
  EXPECT_FALSE(allows_method(Route::kHealth, "POST"));
  EXPECT_TRUE(allows_method(Route::kCompletions, "POST"));
  EXPECT_TRUE(allows_method(Route::kCompletions, "OPTIONS"));
  EXPECT_FALSE(allows_method(Route::kCompletions, "GET"));
  EXPECT_FALSE(allows_method(Route::kCompletions, "POS"));
  EXPECT_FALSE(allows_method(Route::kCompletions, ""));
}

TEST(Router, ModelIdsAreDecoded) {
  EXPECT_EQ(model_of_path("/v1/models/a%3Ab"), "a:b");
  EXPECT_EQ(model_of_path("/v1/models/a%3"), "a%3");
  EXPECT_EQ(model_of_path("/v1/models/%zz%"), "%zz%");
}

}  // namespace
}  // namespace switchyard::api
