#include "client/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace switchyard::client {
namespace {

TEST(ParseUrl, SplitsHostPortAndPath) {
  const auto url = parse_url("http://127.0.0.1:8080/proxy/v1/");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "127.0.0.1");
  EXPECT_EQ(url->port, "8080");
  EXPECT_EQ(url->base_path, "/proxy");
  EXPECT_EQ(url->authority(), "127.0.0.1:8080");
}

TEST(ParseUrl, PortIs80AndPathEmptyIfNotGiven) {
  const auto url = parse_url("http://localhost");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->port, "80");
  EXPECT_EQ(url->base_path, "");
  EXPECT_EQ(url->authority(), "localhost");
}

TEST(ParseUrl, TakesIpv6InBrackets) {
  const auto url = parse_url("http://[::1]:9/v1");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "::1");
  EXPECT_EQ(url->authority(), "[::1]:9");
}

TEST(ParseUrl, RefusesHttpsWithAWayOut) {
  const auto url = parse_url("https://example.org");
  ASSERT_FALSE(url);
  EXPECT_THAT(url.error().message, testing::HasSubstr("https is not supported"));
}

TEST(ParseUrl, RefusesWhatIsNoUrl) {
  for (const char* bad :
       {"", "localhost:8080", "http://", "http://:80", "http://a:0", "http://a:65536",
        "http://a:8x", "http://a b", "http://u:p@a", "http://[::1"}) {
    const auto url = parse_url(bad);
    ASSERT_FALSE(url) << bad;
    EXPECT_EQ(url.error().code, ErrorCode::kUsage) << bad;
  }
}

}  // namespace
}  // namespace switchyard::client
