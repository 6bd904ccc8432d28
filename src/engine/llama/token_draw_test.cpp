#include "engine/llama/token_draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace switchyard::engine {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Probabilities = std::map<core::TokenId, double>;

/// The distribution as its definition reads, in double precision and with a full sort.
Probabilities reference(const std::vector<float>& logits, const core::SamplingParams& sampling) {
  std::vector<core::TokenId> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return logits[a] > logits[b]; });
  const double best = logits[order[0]];
  const auto cut_to = [&](std::size_t size) { order.resize(std::min(size, order.size())); };
  if (sampling.top_k > 0) cut_to(static_cast<std::size_t>(sampling.top_k));
  const auto sum = [&](double temperature) {
    double total = 0;
    for (const auto token : order) total += std::exp((logits[token] - best) / temperature);
    return total;
  };
  if (sampling.top_p < 1) {
    const double target = sampling.top_p * sum(1);
    double kept = 0;
    std::size_t size = 0;
    while (size < order.size() && (size == 0 || kept < target)) {
      kept += std::exp(logits[order[size++]] - best);
    }
    cut_to(size);
  }
  if (sampling.min_p > 0) {
    const double floor = best + std::log(static_cast<double>(sampling.min_p));
    const auto first_below =
        std::find_if(order.begin(), order.end(), [&](auto token) { return logits[token] < floor; });
    cut_to(static_cast<std::size_t>(first_below - order.begin()));
  }
  Probabilities result;
  const double total = sum(sampling.temperature);
  for (const auto token : order) {
    result[token] = std::exp((logits[token] - best) / sampling.temperature) / total;
  }
  return result;
}

/// Draws at the middles of `draws` equal parts of [0, 1): as every token is one interval, its share
/// of the draws is its probability to within one draw.
Probabilities shares(const std::vector<float>& logits, const core::SamplingParams& sampling,
                     int draws) {
  CandidateBuffer buffer;
  Probabilities result;
  for (int i = 0; i < draws; ++i) {
    result[draw_token(logits, sampling, (i + 0.5) / draws, buffer)] += 1.0 / draws;
  }
  return result;
}

std::vector<float> random_row(std::size_t size, float spread, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, spread);
  std::vector<float> logits(size);
  for (float& logit : logits) logit = normal(random);
  return logits;
}

core::SamplingParams params(float temperature, std::int32_t top_k, float top_p, float min_p) {
  core::SamplingParams sampling;
  sampling.temperature = temperature;
  sampling.top_k = top_k;
  sampling.top_p = top_p;
  sampling.min_p = min_p;
  return sampling;
}

const std::vector<core::SamplingParams>& settings() {
  static const std::vector<core::SamplingParams> all = {
      params(1, 0, 1, 0),         params(0.7F, 0, 1, 0),     params(1.8F, 0, 1, 0),
      params(0.7F, 40, 1, 0),     params(0.7F, 0, 0.95F, 0), params(0.7F, 0, 1, 0.05F),
      params(0.7F, 40, 0.9F, 0),  params(1, 0, 0.9F, 0.02F), params(1.3F, 40, 0.95F, 0.05F),
      params(1, 1, 1, 0),         params(1, 0, 0, 0),        params(1, 0, 1, 1),
      params(1, 5000, 0.999F, 0), params(2, 700, 1, 0),      params(1, 0, 0.999999F, 0)};
  return all;
}

TEST(TokenDraw, EveryTokenHasTheProbabilityOfItsDefinition) {
  constexpr int kDraws = 5'000;
  for (const std::size_t size : {1, 5, 90, 1100}) {
    const auto logits = random_row(size, 2, static_cast<std::uint32_t>(size));
    for (const auto& sampling : settings()) {
      const auto expected = reference(logits, sampling);
      auto actual = shares(logits, sampling, kDraws);
      for (const auto& [token, probability] : expected) {
        EXPECT_NEAR(actual[token], probability, 1.01 / kDraws) << size << " " << token;
      }
      for (const auto& [token, share] : actual) EXPECT_TRUE(expected.contains(token)) << token;
    }
  }
}

TEST(TokenDraw, OfAWholeVocabularyTheSameTokensAreLeft) {
  for (const float spread : {0.5F, 1.0F, 3.0F, 8.0F, 100.0F}) {
    const auto logits = random_row(49'152, spread, 3);
    const auto share = reference(logits, params(1, 0, 1, 0));
    Shortlist shortlist;
    for (const auto& sampling : settings()) {
      if (!Shortlist::cuts(sampling)) continue;
      shortlist.fill(logits, *std::max_element(logits.begin(), logits.end()), sampling);
      std::set<core::TokenId> disputed(shortlist.tokens().begin(), shortlist.tokens().end());
      ASSERT_EQ(disputed.size(), shortlist.tokens().size());
      for (const auto& [token, probability] : reference(logits, sampling)) {
        if (disputed.erase(token) == 0) disputed.insert(token);
      }
      // Near the cut, sums in single and in double precision may disagree on what little is left.
      double difference = 0;
      for (const core::TokenId token : disputed) difference += share.at(token);
      EXPECT_LT(difference, 2e-6) << spread << " " << sampling.top_p << " " << sampling.top_k;
    }
  }
}

TEST(TokenDraw, DrawsOfALongRowPassAChiSquareTest) {
  const auto logits = random_row(8'192, 3, 5);
  for (const auto& sampling : {params(0.7F, 0, 0.95F, 0), params(0.7F, 0, 1, 0)}) {
    const auto expected = reference(logits, sampling);
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(0, 1);
    CandidateBuffer buffer;
    constexpr int kDraws = 20'000;
    std::map<core::TokenId, int> counts;
    for (int i = 0; i < kDraws; ++i) {
      const auto token = draw_token(logits, sampling, uniform(random), buffer);
      ASSERT_TRUE(expected.contains(token));
      ++counts[token];
    }
    double chi_square = 0;
    double rest_expected = kDraws;
    int rest = kDraws;
    int cells = 0;
    for (const auto& [token, probability] : expected) {
      if (probability * kDraws < 10) continue;  // the rare ones form one cell
      const double difference = counts[token] - probability * kDraws;
      chi_square += difference * difference / (probability * kDraws);
      rest_expected -= probability * kDraws;
      rest -= counts[token];
      ++cells;
    }
    if (rest_expected > 0) chi_square += std::pow(rest - rest_expected, 2) / rest_expected;
    // `cells` degrees of freedom: mean `cells`, deviation √(2 · cells); five deviations.
    EXPECT_GT(cells, 20);
    EXPECT_LT(chi_square, cells + 5 * std::sqrt(2.0 * cells));
  }
}

TEST(TokenDraw, OfEqualLogitsTheLowerTokensStay) {
  const std::vector<float> logits(300, 2.5F);
  for (const auto& sampling : {params(1, 3, 1, 0), params(1, 0, 0.00999F, 0)}) {
    const auto actual = shares(logits, sampling, 300);
    ASSERT_EQ(actual.size(), 3U);
    for (const core::TokenId token : {0, 1, 2}) EXPECT_TRUE(actual.contains(token));
  }
}

TEST(TokenDraw, RuledOutTokensAndNumbersThatAreNoneAreNeverDrawn) {
  std::vector<float> logits(100, -kInfinity);
  logits[5] = logits[77] = 1;
  logits[50] = kNan;
  for (const auto& sampling : settings()) {
    for (const auto& [token, share] : shares(logits, sampling, 100)) {
      EXPECT_TRUE(token == 5 || token == 77) << token;
    }
  }
}

TEST(TokenDraw, ARowWithNothingToWeighGivesItsArgmax) {
  CandidateBuffer buffer;
  for (const auto& sampling : settings()) {
    EXPECT_EQ(draw_token(std::vector<float>(9, -kInfinity), sampling, 0.5, buffer), 0);
    EXPECT_EQ(draw_token(std::vector<float>(9, kNan), sampling, 0.5, buffer), 0);
    std::vector<float> logits(9, 0);
    logits[4] = kInfinity;
    EXPECT_EQ(draw_token(logits, sampling, 0.5, buffer), 4);
  }
}

TEST(TokenDraw, TheEndsOfTheUnitIntervalAndHugeLogitsAreFine) {
  CandidateBuffer buffer;
  const std::vector<float> logits = {-3e38F, 3e38F, -3e38F, 0};
  for (const auto& sampling : settings()) {
    for (const double uniform : {0.0, std::nextafter(1.0, 0.0)}) {
      EXPECT_EQ(draw_token(logits, sampling, uniform, buffer), 1);
    }
  }
}

}  // namespace
}  // namespace switchyard::engine
