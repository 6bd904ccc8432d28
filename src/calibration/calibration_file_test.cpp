#include "calibration/calibration_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "calibration/presets.h"

namespace switchyard::calibration {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Calibration example() {
  Calibration calibration = *preset("a100-llama8b");
  calibration.created = "2026-01-02T03:04:05Z";
  calibration.identity = {.model = "b179c952",
                          .version = "0.1.0",
                          .engine = "llama.cpp de3ff815ea7d",
                          .build_flags = "AVX512 = 1",
                          .devices = "",
                          .cpu = "EPYC 9004",
                          .cores = 2,
                          .memory_bytes = 24ULL << 30U,
                          .threads = 1};
  ModeCosts& first = calibration.modes.front();
  first.restore_fixed_ms.reset();
  first.restore_token_ms.reset();
  first.prefill_watts = 10.25;
  first.load_seconds = 1.5;
  first.spread = 0.03;
  first.restore_error = 0.2;
  first.prefill_pass_context_ms = 0.125;
  return calibration;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  const auto parsed = parse_calibration(text, "calibration f.json");
  if (parsed) return "accepted";
  EXPECT_EQ(parsed.error().code, ErrorCode::kIo);
  EXPECT_TRUE(parsed.error().message.starts_with("calibration f.json "));
  EXPECT_EQ(parsed.error().message.find('\n'), std::string::npos);
  return parsed.error().message;
}

TEST(CalibrationFile, RoundTripKeepsEverything) {
  const Calibration written = example();
  const auto read = parse_calibration(render_calibration(written, {}), "f");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->identity, written.identity);
  EXPECT_EQ(read->created, written.created);
  EXPECT_EQ(read->label, written.label);
  ASSERT_EQ(read->modes.size(), written.modes.size());
  for (std::size_t i = 0; i < read->modes.size(); ++i) {
    const ModeCosts& a = written.modes[i];
    const ModeCosts& b = read->modes[i];
    EXPECT_EQ(a.mode, b.mode);
    EXPECT_EQ(prefill_ms(a, 700, 30), prefill_ms(b, 700, 30));
    EXPECT_EQ(a.decode_batches, b.decode_batches);
    EXPECT_EQ(a.decode_contexts, b.decode_contexts);
    EXPECT_EQ(a.decode_table_ms, b.decode_table_ms);
    EXPECT_EQ(verify_ms(a, 3, 100), verify_ms(b, 3, 100));
    EXPECT_EQ(a.restore_fixed_ms, b.restore_fixed_ms);
    EXPECT_EQ(a.restore_token_ms, b.restore_token_ms);
    EXPECT_EQ(a.prefill_watts, b.prefill_watts);
    EXPECT_EQ(a.decode_watts, b.decode_watts);
    EXPECT_EQ(a.weights_bytes, b.weights_bytes);
    EXPECT_EQ(a.kv_bytes_per_token, b.kv_bytes_per_token);
    EXPECT_EQ(a.load_seconds, b.load_seconds);
    EXPECT_EQ(a.fit_error, b.fit_error);
    EXPECT_EQ(a.restore_error, b.restore_error);
    EXPECT_EQ(a.spread, b.spread);
  }
}

TEST(CalibrationFile, ListsTheMeasurementsOfAMode) {
  const MeasuredMode measured = {"int8", {{"decode", 4, 1, 512, 12.5, 0.02, 9}}};
  const std::string text = render_calibration(example(), {{measured}});
  EXPECT_THAT(text, AllOf(HasSubstr("\"median_ms\": 12.5"), HasSubstr("\"samples\": 9")));
}

TEST(CalibrationFile, RefusesEveryCutFile) {
  const std::string text = render_calibration(example(), {});
  for (std::size_t length = 0; length + 2 < text.size(); length += 97) {
    EXPECT_THAT(refusal(text.substr(0, length)), HasSubstr("is not valid JSON, or cut"));
  }
}

TEST(CalibrationFile, TellsAForeignFileFromAnotherVersion) {
  const std::string text = render_calibration(example(), {});
  EXPECT_THAT(refusal(replaced(text, "calibration.v1", "calibration.v2")),
              HasSubstr("is of another version than switchyard.calibration.v1"));
  EXPECT_THAT(refusal(replaced(text, "switchyard.calibration.v1", "switchyard.bench_serve.v1")),
              HasSubstr("is no calibration file"));
  EXPECT_THAT(refusal("[1, 2]"), HasSubstr("has no \"schema\""));
}

TEST(CalibrationFile, RefusesWhatTheCostsCannotBeComputedFrom) {
  const std::string text = render_calibration(example(), {});
  EXPECT_THAT(refusal(replaced(text, "\"pass_ms\": 0.0", "\"pass_ms\": -1")),
              HasSubstr("\"pass_ms\" is not a number of 0 or more"));
  EXPECT_THAT(refusal(replaced(text, "\"pass_ms\"", "\"past_ms\"")),
              HasSubstr("has no \"pass_ms\""));
  EXPECT_THAT(refusal(replaced(text, "\"batches\": [\n     1,", "\"batches\": [\n     40,")),
              HasSubstr("\"batches\" does not ascend"));
  EXPECT_THAT(refusal(replaced(text, "\"contexts\": [\n     0,", "\"contexts\": [\n     0, 7,")),
              HasSubstr("row of wrong length"));
  EXPECT_THAT(refusal(replaced(text, "\"chunk_tokens\": 1048576", "\"chunk_tokens\": 0")),
              HasSubstr("\"chunk_tokens\""));
  EXPECT_THAT(refusal(replaced(text, "\"mode\": \"int8\"", "\"mode\": \"fp16\"")),
              HasSubstr("lists a mode twice"));
  EXPECT_THAT(refusal(replaced(text, "\"cores\": 2", "\"cores\": 1e400")),
              HasSubstr("is not valid JSON, or cut"));
}

TEST(CalibrationFile, AMissingFileIsNamed) {
  const auto read = read_calibration("/nowhere/calibration.json");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "calibration /nowhere/calibration.json: no such file");
}

TEST(CalibrationFile, ReadsWhatWasWritten) {
  const std::string path = ::testing::TempDir() + "switchyard_calibration_test.json";
  std::ofstream(path) << render_calibration(example(), {});
  EXPECT_TRUE(read_calibration(path));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace switchyard::calibration
