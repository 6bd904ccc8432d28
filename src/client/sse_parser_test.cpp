#include "client/sse_parser.h"

#include <gtest/gtest.h>

#include <vector>

namespace switchyard::client {
namespace {

std::vector<std::string> data_of(std::string_view bytes, std::size_t piece) {
  SseParser parser;
  std::vector<std::string> data;
  for (std::size_t i = 0; i < bytes.size(); i += piece) {
    parser.append(bytes.substr(i, piece));
    while (const auto event = parser.next()) data.push_back(event->data);
  }
  return data;
}

TEST(SseParser, GivesTheSameEventsInAnyDivision) {
  constexpr std::string_view kBytes =
      ": comment\n\ndata: one\n\ndata:two\r\n\r\nid: 7\ndata: a\ndata: b\n\ndata: unfinished";
  const std::vector<std::string> expected = {"one", "two", "a\nb"};
  for (std::size_t piece = 1; piece <= kBytes.size(); ++piece) {
    EXPECT_EQ(data_of(kBytes, piece), expected) << "pieces of " << piece;
  }
}

TEST(SseParser, NamesTheEvent) {
  SseParser parser;
  parser.append("event: error\ndata: {}\n\ndata: x\n\n");
  EXPECT_EQ(parser.next()->name, "error");
  EXPECT_EQ(parser.next()->name, "message");
}

TEST(SseParser, AnErrorFieldIsAnErrorEvent) {
  SseParser parser;
  parser.append("error: {\"message\": \"x\"}\n\n");
  const auto event = parser.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->name, "error");
  EXPECT_EQ(event->data, "{\"message\": \"x\"}");
}

TEST(SseParser, SaysWhenAnEventIsTooLarge) {
  SseParser parser;
  parser.append("data: " + std::string(SseParser::kMaxEventBytes, 'x'));
  EXPECT_FALSE(parser.next());
  EXPECT_TRUE(parser.overflowed());
}

}  // namespace
}  // namespace switchyard::client
