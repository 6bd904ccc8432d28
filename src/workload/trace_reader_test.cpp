#include "workload/trace_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "workload/temporary_file.h"

namespace switchyard::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Trace read_ok(std::string_view text, TimestampUnit unit = TimestampUnit::kAuto) {
  const TemporaryFile file(text);
  auto trace = read_trace(file.path(), unit);
  EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
  return trace ? std::move(*trace) : Trace{};
}

std::string error_of(std::string_view text) {
  const TemporaryFile file(text);
  const auto trace = read_trace(file.path());
  EXPECT_FALSE(trace);
  return trace ? "" : trace.error().message;
}

TEST(TraceReader, ReadsAzure2023WithSevenDigitFractionsAndNoFinalNewline) {
  const Trace trace = read_ok(
      "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
      "2023-11-16 18:15:46.6805900,374,44\r\n"
      "2023-11-16 18:15:50.9951690,396,109");
  ASSERT_EQ(trace.rows.size(), 2U);
  EXPECT_EQ(trace.rows[0].input_tokens, 374);
  EXPECT_EQ(trace.rows[1].output_tokens, 109);
  EXPECT_EQ(trace.rows[0].arrival_seconds, 0);
  EXPECT_NEAR(trace.rows[1].arrival_seconds, 4.314579, 1e-5);
  EXPECT_EQ(trace.bad_rows, 0);
}

TEST(TraceReader, ReadsAzure2024WithZones) {
  const Trace trace = read_ok(
      "TIMESTAMP,ContextTokens,GeneratedTokens\n"
      "2024-05-10 23:59:59.500000+00:00,10,5\n"
      "2024-05-11 01:00:01.000000+01:00,11,6\n");
  ASSERT_EQ(trace.rows.size(), 2U);
  EXPECT_NEAR(trace.rows[1].arrival_seconds, 1.5, 1e-5);
}

TEST(TraceReader, FindsColumnsByNameWhateverStandsBetween) {
  const Trace trace = read_ok(
      "TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\n"
      "2025-01-01 00:00:00.1,3,10,5\n");
  ASSERT_EQ(trace.rows.size(), 1U);
  EXPECT_EQ(trace.rows[0].input_tokens, 10);
  EXPECT_EQ(trace.rows[0].output_tokens, 5);
}

TEST(TraceReader, ReadsBothBurstGptLayoutsAndSkipsFailedCalls) {
  const Trace six = read_ok(
      "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
      "5,GPT-4,666,78,744,Conversation log\n"
      "45,GPT-4,1143,0,1143,API log\n");
  ASSERT_EQ(six.rows.size(), 1U);
  EXPECT_EQ(six.rows[0].input_tokens, 666);
  EXPECT_EQ(six.rows_without_tokens, 1);
  EXPECT_EQ(six.bad_rows, 0);

  const Trace eight = read_ok(
      "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log "
      "Type\n"
      "19440110.0,,10,ChatGPT,993,44,1037,Conversation log\n"
      "19440117.0,\"a,b\",11,ChatGPT,545,355,900,API log\n");
  ASSERT_EQ(eight.rows.size(), 2U);
  EXPECT_EQ(eight.rows[1].input_tokens, 545);
  EXPECT_NEAR(eight.rows[1].arrival_seconds, 7, 1e-9);
}

TEST(TraceReader, ReadsMooncakeInMillisecondsWithBlocks) {
  const Trace trace = read_ok(
      "{\"timestamp\": 1000, \"input_length\": 600, \"output_length\": 5, \"hash_ids\": [0, 7]}\n"
      "{\"timestamp\": 2500.5, \"input_length\": 10, \"output_length\": 1, \"hash_ids\": [0]}\n");
  ASSERT_EQ(trace.rows.size(), 2U);
  EXPECT_NEAR(trace.rows[1].arrival_seconds, 1.5005, 1e-9);
  EXPECT_THAT(trace.rows[0].block_ids, ElementsAre(0, 7));
  EXPECT_EQ(trace.block_tokens, 512);
  EXPECT_TRUE(trace.timestamps_in_ms);
}

TEST(TraceReader, ReadsVllmStyleAndBailianJsonLinesInSeconds) {
  const Trace vllm = read_ok(
      "{\"timestamp\": 0.5, \"prompt_tokens\": 3, \"completion_tokens\": 2}\n"
      "{\"timestamp\": 2, \"prompt_tokens\": 4, \"completion_tokens\": 2}\n");
  ASSERT_EQ(vllm.rows.size(), 2U);
  EXPECT_NEAR(vllm.rows[1].arrival_seconds, 1.5, 1e-9);

  const Trace bailian = read_ok(
      "{\"chat_id\": 1, \"timestamp\": 61.1, \"input_length\": 5, \"output_length\": 2}\n"
      "{\"chat_id\": 2, \"timestamp\": 63.1, \"input_length\": 5, \"output_length\": 2}\n");
  ASSERT_EQ(bailian.rows.size(), 2U);
  EXPECT_NEAR(bailian.rows[1].arrival_seconds, 2.0, 1e-9);
  EXPECT_EQ(bailian.block_tokens, 16);
}

TEST(TraceReader, AStatedUnitWinsOverTheGuess) {
  const Trace trace = read_ok(
      "{\"timestamp\": 0, \"prompt_tokens\": 3, \"completion_tokens\": 2}\n"
      "{\"timestamp\": 500, \"prompt_tokens\": 3, \"completion_tokens\": 2}\n",
      TimestampUnit::kMilliseconds);
  ASSERT_EQ(trace.rows.size(), 2U);
  EXPECT_NEAR(trace.rows[1].arrival_seconds, 0.5, 1e-9);
}

TEST(TraceReader, DropsAByteOrderMark) {
  const Trace trace = read_ok(
      "\xEF\xBB\xBFTIMESTAMP,ContextTokens,GeneratedTokens\r\n"
      "2023-11-16 18:17:03.9799600,4808,10\r\n");
  EXPECT_EQ(trace.rows.size(), 1U);
}

TEST(TraceReader, CountsBadRowsWithTheirLinesAndKeepsTheOthers) {
  const Trace trace = read_ok(
      "TIMESTAMP,ContextTokens,GeneratedTokens\n"
      "2023-11-16 18:17:03.9799600,4808,10\n"
      "\n"
      "2023-11-16 18:17:04.0319600,3180,8\n"
      "2023-11-16 18:17:04.0781490,110\n"
      "2023-11-16 18:17:04.1206440,7433,14,extra\n"
      "2023-11-16 18:17:05.0,-5,3\n"
      "2023-11-16 18:17:05.1,12,\n"
      "2023-11-16 18:17:05.2,1e9,4\n"
      "2023-11-16 18:17:05.3,99999999999999999999,4\n"
      "not-a-date,10,10\n"
      "2023-11-16 18:17:05.4, 12 , 7 \n"
      "2023-11-16 18:17:04.4249540,34,12\n");
  EXPECT_EQ(trace.rows.size(), 5U);
  EXPECT_EQ(trace.bad_rows, 6);
  EXPECT_THAT(trace.first_bad_lines, ElementsAre(5, 7, 8, 9, 10));
  EXPECT_TRUE(trace.was_unsorted);
  EXPECT_EQ(trace.rows.back().input_tokens, 12);
  EXPECT_THAT(notes_of(trace)[0], HasSubstr("6 bad rows skipped (lines 5, 7, 8, 9, 10, …)"));
  EXPECT_THAT(notes_of(trace)[1], HasSubstr("sorted"));
}

TEST(TraceReader, AMissingTimestampIsABadRowNotZero) {
  const Trace trace = read_ok(
      "{\"timestamp\": 100, \"input_length\": 5, \"output_length\": 5}\n"
      "{\"input_length\": 5, \"output_length\": 5}\n"
      "{\"timestamp\": \"2000\", \"input_length\": 5, \"output_length\": 5}\n"
      "{\"timestamp\": null, \"input_length\": 5, \"output_length\": 5}\n"
      "{\"timestamp\": 0, \"input_length\": 7236, \"output_length\": 794,");
  ASSERT_EQ(trace.rows.size(), 1U);
  EXPECT_EQ(trace.rows[0].arrival_seconds, 0);
  EXPECT_THAT(trace.first_bad_lines, ElementsAre(2, 3, 4, 5));
}

TEST(TraceReader, RefusesAFileWithoutATimestampColumn) {
  EXPECT_THAT(error_of("ContextTokens,GeneratedTokens\n1,2\n"),
              HasSubstr("no column for a timestamp"));
  EXPECT_THAT(error_of("{\"input_length\": 5, \"output_length\": 5}\n"),
              HasSubstr("no line has a timestamp"));
}

TEST(TraceReader, RefusesFilesWithoutRowsInOneLine) {
  EXPECT_THAT(error_of(""), HasSubstr("is empty"));
  EXPECT_THAT(error_of("\n\n"), HasSubstr("has no rows"));
  EXPECT_THAT(error_of("TIMESTAMP,ContextTokens,GeneratedTokens\n"), HasSubstr("has no rows"));
}

TEST(TraceReader, RefusesDirectoriesAndFifosWithoutWaiting) {
  const auto directory = read_trace(testing::TempDir());
  ASSERT_FALSE(directory);
  EXPECT_THAT(directory.error().message, HasSubstr("is a directory"));

  const TemporaryFile placeholder("x");
  const std::string fifo = placeholder.path() + ".fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const auto trace = read_trace(fifo);
  ::unlink(fifo.c_str());
  ASSERT_FALSE(trace);
  EXPECT_THAT(trace.error().message, HasSubstr("is not a regular file"));
}

TEST(TraceReader, AnOverlongLineIsOneBadRow) {
  const Trace trace = read_ok("TIMESTAMP,ContextTokens,GeneratedTokens\n1,2,3\n" +
                              std::string(3 << 20, '7') + "\n2,2,3\n");
  EXPECT_EQ(trace.rows.size(), 2U);
  EXPECT_THAT(trace.first_bad_lines, ElementsAre(3));
}

}  // namespace
}  // namespace switchyard::workload
