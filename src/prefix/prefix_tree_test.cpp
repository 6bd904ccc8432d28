#include "prefix/prefix_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "prefix/test_tokens.h"

namespace switchyard::prefix {
namespace {

void add(PrefixTree& tree, HolderId holder, const Tokens& tokens, const std::string& salt = "") {
  tree.add(holder, salt);
  tree.append(holder, tokens);
}

TEST(PrefixTree, FindsTheLongestPrefixAndAllWhoHoldIt) {
  PrefixTree tree;
  add(tree, 1, range(0, 100));
  add(tree, 2, join(range(0, 100), range(500, 10)));
  add(tree, 3, join(range(0, 50), range(900, 10)));
  const Match match = tree.match("", join(range(0, 80), range(7000, 5)));
  EXPECT_EQ(match.tokens, 80);
  EXPECT_EQ(match.holders.size(), 2U);
  EXPECT_EQ(tree.match("", range(0, 55)).tokens, 55);
  EXPECT_EQ(tree.match("", range(1, 5)).tokens, 0);
}

TEST(PrefixTree, OtherSaltsShareNothing) {
  PrefixTree tree;
  add(tree, 1, range(0, 100), "a");
  EXPECT_EQ(tree.match_tokens("b", range(0, 100)), 0);
  EXPECT_EQ(tree.match_tokens("", range(0, 100)), 0);
  EXPECT_EQ(tree.match_tokens("a", range(0, 100)), 100);
}

TEST(PrefixTree, UniqueTokensAreThoseBehindTheLastFork) {
  PrefixTree tree;
  add(tree, 1, join(range(0, 30), range(100, 7)));
  add(tree, 2, join(range(0, 30), range(200, 9)));
  add(tree, 3, range(0, 10));
  EXPECT_EQ(tree.unique_tokens(1), 7);
  EXPECT_EQ(tree.unique_tokens(2), 9);
  EXPECT_EQ(tree.unique_tokens(3), 0);
  tree.remove(2);
  EXPECT_EQ(tree.unique_tokens(1), 27);
}

TEST(PrefixTree, CoveredAreThoseWhoseTokensAreAllInThis) {
  PrefixTree tree;
  add(tree, 1, range(0, 30));
  add(tree, 2, range(0, 60));
  add(tree, 3, range(0, 60));
  add(tree, 4, join(range(0, 20), range(500, 1)));
  auto covered = tree.covered_by(2);
  std::sort(covered.begin(), covered.end());
  EXPECT_EQ(covered, (std::vector<HolderId>{1, 3}));
}

/// Random lives of holders against plain vectors.
TEST(PrefixTree, AgreesWithASearchThroughAllHolders) {
  std::mt19937 random(7);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution(low, high)(random);
  };
  const auto some_tokens = [&](int n) {
    Tokens out;
    while (std::ssize(out) < n) out.push_back(pick(1, 40) == 1 ? 2 : 1);
    return out;
  };
  PrefixTree tree;
  std::map<HolderId, std::pair<std::string, Tokens>> model;
  for (int i = 0; i < 20'000; ++i) {
    const HolderId holder = pick(-8, 8);
    const bool known = model.contains(holder);
    const int action = pick(0, 5);
    if (!known) {
      const std::string salt(pick(0, 1), 's');
      tree.add(holder, salt);
      model[holder] = {salt, {}};
    } else if (action <= 2) {
      const Tokens more = some_tokens(pick(0, 90));
      tree.append(holder, more);
      model[holder].second = join(model[holder].second, more);
    } else if (action == 3) {
      const int keep = pick(0, static_cast<int>(model[holder].second.size()));
      tree.cut(holder, keep);
      model[holder].second.resize(keep);
    } else if (action == 4) {
      tree.remove(holder);
      model.erase(holder);
    }
    const Tokens prompt = some_tokens(pick(1, 200));
    const std::string salt(pick(0, 1), 's');
    std::map<std::int32_t, std::vector<HolderId>> by_shared;
    for (const auto& [id, held] : model) {
      ASSERT_EQ(tree.tokens(id), held.second);
      if (held.first != salt) continue;
      const auto end =
          std::mismatch(prompt.begin(), prompt.end(), held.second.begin(), held.second.end());
      by_shared[static_cast<std::int32_t>(end.first - prompt.begin())].push_back(id);
    }
    Match match = tree.match(salt, prompt);
    std::sort(match.holders.begin(), match.holders.end());
    const std::int32_t longest = by_shared.empty() ? 0 : by_shared.rbegin()->first;
    ASSERT_EQ(match.tokens, longest);
    ASSERT_EQ(tree.match_tokens(salt, prompt), longest);
    if (longest > 0) {
      ASSERT_EQ(match.holders, by_shared.rbegin()->second);
    }
  }
}

}  // namespace
}  // namespace switchyard::prefix
