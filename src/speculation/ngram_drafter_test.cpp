#include "speculation/ngram_drafter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace switchyard::speculation {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using Tokens = std::vector<core::TokenId>;

Tokens letters(const std::string& text) { return {text.begin(), text.end()}; }

std::string propose(NgramDrafter& drafter, std::int32_t max_tokens) {
  const NgramDraft draft = drafter.propose(max_tokens);
  return {draft.tokens.begin(), draft.tokens.end()};
}

struct Case {
  const char* name;
  const char* history;
  const char* expected;
  std::int32_t match_tokens;
};

class Propose : public ::testing::TestWithParam<Case> {};

TEST_P(Propose, FourTokens) {
  NgramDrafter drafter;
  drafter.append(letters(GetParam().history));
  const NgramDraft draft = drafter.propose(4);
  EXPECT_THAT(draft.tokens, ElementsAreArray(letters(GetParam().expected)));
  EXPECT_EQ(draft.match_tokens, GetParam().match_tokens);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Propose,
    ::testing::Values(Case{"NothingYet", "", "", 0}, Case{"OneToken", "a", "", 0},
                      Case{"OnlyItself", "abcd", "", 0},
                      Case{"OneTokenInCommonIsTooLittle", "abxb", "", 0},
                      Case{"ABigram", "abcdefg.ab", "cdef", 2},
                      Case{"TheLatestOfEqualMatches", "ab1234-ab5678.ab", "5678", 2},
                      Case{"TheLongestMatchEvenIfOlder", "xyab1234.ab5678.xyab", "1234", 4},
                      Case{"AMatchBeyondTheLongestNgram", "vwxyab1234.vwxyab", "1234", 6},
                      Case{"OneWordRepeated", "aaa", "aaaa", 2},
                      Case{"ALoopOfThree", "abcabc", "abca", 3},
                      Case{"ALoopShorterThanTheDraft", "x-=-=", "-=-=", 2}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(NgramDrafter, RespectsTheLimit) {
  NgramDrafter drafter;
  drafter.append(letters("abcdef.ab"));
  EXPECT_EQ(propose(drafter, 2), "cd");
  EXPECT_EQ(propose(drafter, 0), "");
  EXPECT_EQ(propose(drafter, -1), "");
}

TEST(NgramDrafter, LooksUpOnlyTheLengthsAskedFor) {
  NgramDrafter drafter({.min_ngram = 3, .max_ngram = 3});
  drafter.append(letters("abcdef.bc"));
  EXPECT_EQ(propose(drafter, 4), "");
  drafter.append(letters("d"));
  EXPECT_EQ(propose(drafter, 4), "ef.b");
}

TEST(NgramDrafter, StaysWithTheSourceItCopiesFrom) {
  NgramDrafter drafter;
  drafter.append(letters("0123abcd45678.9abcdXYZ.0123"));
  EXPECT_EQ(propose(drafter, 8), "abcd4567");
  drafter.append(letters("abcd"));
  // "abcd" went on with XYZ last, but the draft's source has eight tokens in common.
  EXPECT_EQ(propose(drafter, 4), "4567");
}

TEST(NgramDrafter, LeavesASourceThatWasWrong) {
  NgramDrafter drafter;
  drafter.append(letters("0123abcd.0123"));
  EXPECT_EQ(propose(drafter, 4), "abcd");
  drafter.append(letters("!"));
  EXPECT_EQ(propose(drafter, 4), "");
}

TEST(NgramDrafter, ResetForgetsTheLastSequence) {
  NgramDrafter drafter;
  drafter.append(letters("abcdef"));
  EXPECT_EQ(propose(drafter, 4), "");
  drafter.reset(100);
  EXPECT_EQ(drafter.size(), 0);
  drafter.append(letters("ab"));
  EXPECT_EQ(propose(drafter, 4), "");
}

/// The rule by exhaustive search, without the preference for the last draft's source.
std::size_t latest_of_longest(const Tokens& tokens, std::int32_t min_n, std::int32_t max_n) {
  for (std::int32_t n = max_n; n >= min_n; --n) {
    for (std::size_t end = tokens.size(); end-- > 0;) {
      if (end < static_cast<std::size_t>(n) || tokens.size() < static_cast<std::size_t>(n))
        continue;
      if (std::equal(tokens.end() - n, tokens.end(), tokens.begin() + static_cast<long>(end) - n)) {
        return end;
      }
    }
  }
  return 0;
}

TEST(NgramDrafter, AgreesWithExhaustiveSearch) {
  std::mt19937 random(7);
  for (const int vocabulary : {2, 5, 30}) {
    NgramDrafter drafter;
    Tokens tokens;
    for (int i = 0; i < 400; ++i) {
      tokens.push_back(static_cast<core::TokenId>(random() % vocabulary));
      drafter.reset(0);
      drafter.append(tokens);
      const std::size_t source = latest_of_longest(tokens, 2, 4);
      const NgramDraft draft = drafter.propose(1);
      ASSERT_EQ(draft.tokens.empty(), source == 0) << i;
      if (source != 0) {
        ASSERT_EQ(draft.tokens[0], tokens[source]) << i;
      }
    }
  }
}

TEST(NgramDrafter, PiecesMakeTheSameIndexAsTheWhole) {
  std::mt19937 random(11);
  Tokens tokens(5000);
  for (core::TokenId& token : tokens) token = static_cast<core::TokenId>(random() % 40);
  NgramDrafter whole;
  NgramDrafter pieces;
  whole.reset(5000);
  whole.append(tokens);
  for (std::size_t at = 0; at < tokens.size();) {
    const std::size_t n = std::min<std::size_t>(1 + random() % 97, tokens.size() - at);
    pieces.append(std::span(tokens).subspan(at, n));
    at += n;
  }
  EXPECT_THAT(pieces.propose(8).tokens, ElementsAreArray(whole.propose(8).tokens));
}

TEST(NgramDrafter, MemoryIsBoundedAndReserved) {
  NgramDrafter drafter;
  Tokens tokens(32768);
  std::mt19937 random(3);
  for (core::TokenId& token : tokens) token = static_cast<core::TokenId>(random() % 49152);
  drafter.reset(32768);
  drafter.propose(16);
  const std::size_t reserved = drafter.memory_bytes();
  drafter.append(tokens);
  EXPECT_EQ(drafter.memory_bytes(), reserved);
  drafter.append(tokens);
  EXPECT_LE(drafter.memory_bytes(), 56U * 65536 + 1024);
}

TEST(NgramDrafter, TakesAnyTokenValue) {
  NgramDrafter drafter;
  drafter.append(Tokens{-1, 2147483647, 0, 5, -1, 2147483647});
  EXPECT_THAT(drafter.propose(2).tokens, ElementsAre(0, 5));
}

}  // namespace
}  // namespace switchyard::speculation
