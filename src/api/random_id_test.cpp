#include "api/random_id.h"

#include <gtest/gtest.h>

#include <set>

namespace switchyard::api {
namespace {

TEST(RandomId, IdsDiffer) {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(random_id());
  EXPECT_EQ(ids.size(), 1000U);
}

TEST(RandomId, ACleanRequestIdIsKept) {
  EXPECT_EQ(request_id_or_new("aZ09._-"), "aZ09._-");
  EXPECT_EQ(request_id_or_new(std::string(128, 'a')), std::string(128, 'a'));
}

TEST(RandomId, AnyOtherRequestIdIsReplaced) {
  for (const std::string& id :
       {std::string(), std::string(129, 'a'), std::string("a b"), std::string("\xFF"),
        std::string("a\r\nX: y"), std::string(1, '\0')}) {
    const std::string used = request_id_or_new(id);
    EXPECT_NE(used, id);
    EXPECT_EQ(used.size(), 24U);
  }
}

}  // namespace
}  // namespace switchyard::api
