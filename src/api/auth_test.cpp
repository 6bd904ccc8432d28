#include "api/auth.h"

#include <gtest/gtest.h>

namespace switchyard::api {
namespace {

TEST(Auth, WithoutKeysEveryoneIsLetIn) {
  EXPECT_TRUE(Auth({}).allows(""));
  EXPECT_TRUE(Auth({}).allows("Bearer x"));
}

TEST(Auth, AnyOfTheKeysOpens) {
  const Auth auth({"one", "two"});
  EXPECT_TRUE(auth.allows("Bearer one"));
  EXPECT_TRUE(auth.allows("bearer two"));
  EXPECT_TRUE(auth.allows("Bearer  one"));
}

TEST(Auth, EverythingElseIsShut) {
  const Auth auth({"one"});
  for (const char* header : {"", "one", "Bearer", "Bearer ", "Basic one", "Bearer on",
                             "Bearer one ", "Bearer One", "Bearer \xFF\xFE", "Bearerone"}) {
    EXPECT_FALSE(auth.allows(header)) << header;
  }
}

TEST(Auth, AnEmptyKeyOpensNothing) { EXPECT_FALSE(Auth({""}).allows("Bearer ")); }

}  // namespace
}  // namespace switchyard::api
