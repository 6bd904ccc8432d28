#include "workload/synthetic_workload.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace switchyard::workload {
namespace {

std::int64_t words_in(const std::string& text) {
  return text.empty() ? 0 : std::count(text.begin(), text.end(), ' ') + 1;
}

std::string prompt(const SyntheticWorkload& workload, std::size_t index) {
  return workload.session(index).messages.at(0).text;
}

TEST(SyntheticWorkload, PromptsHaveTheirLengthInTheServersTokens) {
  SyntheticWorkload workload({{0, 100, 7, {}}}, 512, 1);
  EXPECT_EQ(words_in(prompt(workload, 0)), 100);
  workload.set_scale({20, 2});
  EXPECT_EQ(words_in(prompt(workload, 0)), 40);
  EXPECT_EQ(workload.session(0).turns.at(0).output_tokens, 7);
  EXPECT_EQ(workload.session(0).turns.at(0).input_tokens, 100);
}

TEST(SyntheticWorkload, APromptShorterThanTheTemplateStillHasAWord) {
  SyntheticWorkload workload({{0, 3, 1, {}}}, 512, 1);
  workload.set_scale({20, 1});
  EXPECT_EQ(words_in(prompt(workload, 0)), 1);
}

TEST(SyntheticWorkload, EqualBlockIdsGiveEqualTextAndOnlyThere) {
  const SyntheticWorkload workload({{0, 25, 1, {5, 6, 7}}, {0, 25, 1, {5, 6, 8}}}, 10, 1);
  const std::string a = prompt(workload, 0);
  const std::string b = prompt(workload, 1);
  EXPECT_EQ(words_in(a), 25);
  const auto mismatch = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  EXPECT_NE(mismatch, a.end());
  EXPECT_GE(std::count(a.begin(), mismatch, ' '), 20);
}

TEST(SyntheticWorkload, PromptsWithoutBlocksDiffer) {
  const SyntheticWorkload workload({{0, 30, 1, {}}, {0, 30, 1, {}}}, 512, 1);
  EXPECT_NE(prompt(workload, 0), prompt(workload, 1));
}

TEST(DrawLengths, StaysInItsRangesAndReachesTheirEnds) {
  const auto rows = draw_lengths(2000, {10, 12}, {5, 5}, 1);
  const auto [least, most] = std::minmax_element(
      rows.begin(), rows.end(),
      [](const TraceRow& a, const TraceRow& b) { return a.input_tokens < b.input_tokens; });
  EXPECT_EQ(least->input_tokens, 10);
  EXPECT_EQ(most->input_tokens, 12);
  EXPECT_EQ(rows[0].output_tokens, 5);
}

}  // namespace
}  // namespace switchyard::workload
