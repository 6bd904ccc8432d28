#include "speculation/sequence_speculator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

namespace switchyard::speculation {
namespace {

using Tokens = std::vector<core::TokenId>;

/// r(n) of BF16 on the reference CPU.
const std::vector<double> kBf16 = {1,   1.7, 1.9, 2.1, 2.2, 2.37, 2.53, 2.7,
                                   2.8, 2.9, 3.0, 3.1, 3.2, 3.3,  3.4,  3.5};

struct Outcome {
  double steps = 0;  ///< time in plain steps
  std::int32_t tokens = 0;
  std::int32_t verifications = 0;
  double speedup() const { return tokens / steps; }
};

/// A sequence alone in its lane that continues `prompt` with `answer`, verified greedily. The time
/// is that of the table.
class Decoding {
 public:
  Decoding(AcceptanceTracker& acceptance, const Tokens& prompt) : speculator_(acceptance) {
    speculator_.start(0, static_cast<std::int32_t>(prompt.size()));
    speculator_.append(prompt);
  }

  Outcome run(const Tokens& answer) {
    Outcome outcome;
    for (std::size_t at = 0; at < answer.size();) {
      const auto left = std::span(answer).subspan(at);
      const DraftCandidate candidate = speculator_.propose(static_cast<std::int32_t>(left.size()));
      const StepCosts costs{.plain = 1, .rest = 0, .verify = kBf16};
      const std::int32_t length = choose_draft_length({&candidate, 1}, 0, costs).tokens;
      const auto draft = speculator_.draft(length);
      const auto accepted = static_cast<std::int32_t>(
          std::mismatch(draft.begin(), draft.end(), left.begin(), left.end()).first -
          draft.begin());
      const std::int32_t emitted = accepted + 1;
      const double cost = kBf16[static_cast<std::size_t>(length)];
      if (length > 0) {
        speculator_.record_verified(length, accepted, emitted, cost);
        ++outcome.verifications;
      } else {
        speculator_.record_plain();
      }
      speculator_.append(left.first(static_cast<std::size_t>(emitted)));
      at += static_cast<std::size_t>(emitted);
      outcome.steps += cost;
      outcome.tokens += emitted;
    }
    return outcome;
  }

 private:
  SequenceSpeculator speculator_;
};

/// Word frequencies as in text (Zipf): bigrams recur, their continuations seldom.
class Text {
 public:
  explicit Text(std::uint32_t seed) : random_(seed) {
    std::vector<double> weights;
    for (int rank = 1; rank <= 5000; ++rank) weights.push_back(1.0 / rank);
    words_ = std::discrete_distribution<core::TokenId>(weights.begin(), weights.end());
  }
  Tokens operator()(std::size_t n) {
    Tokens out(n);
    for (core::TokenId& token : out) token = words_(random_);
    return out;
  }

 private:
  std::mt19937 random_;
  std::discrete_distribution<core::TokenId> words_;
};

Tokens edited(Tokens text, std::size_t every) {
  for (std::size_t i = every; i < text.size(); i += every) text[i] = 100000;
  return text;
}

TEST(Speculation, CopiesAtLeastTwiceAsFast) {
  AcceptanceTracker acceptance(1);
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Tokens prompt = Text(seed)(600);
    EXPECT_GE(Decoding(acceptance, prompt).run(prompt).speedup(), 3.5) << seed;
    EXPECT_GE(Decoding(acceptance, prompt).run(edited(prompt, 25)).speedup(), 2) << seed;
  }
}

TEST(Speculation, LoopsAreFast) {
  AcceptanceTracker acceptance(1);
  EXPECT_GE(Decoding(acceptance, {1, 2, 3}).run(Tokens(300, 7)).speedup(), 3);
}

TEST(Speculation, TextThatDoesNotRepeatLosesAtMostTwoPercent) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    AcceptanceTracker acceptance(1);
    Text text(seed);
    const Tokens prompt = text(1000);
    EXPECT_GE(Decoding(acceptance, prompt).run(text(128)).speedup(), 0.98) << seed;
    EXPECT_GE(Decoding(acceptance, prompt).run(text(2000)).speedup(), 0.98) << seed;
  }
}

/// Repeats a phrase until it is drafted, and then says something else: the worst that can happen.
TEST(Speculation, DraftsThatAreAlwaysWrongAreBounded) {
  AcceptanceTracker acceptance(1);
  SequenceSpeculator speculator(acceptance);
  speculator.start(0, 4000);
  speculator.append(Text(1)(200));
  double steps = 0;
  std::int32_t verifications = 0;
  core::TokenId fresh = 100000;
  for (std::int32_t i = 0; i < 2000; ++i) {
    const DraftCandidate candidate = speculator.propose(2000 - i);
    const StepCosts costs{.plain = 1, .rest = 0, .verify = kBf16};
    const std::int32_t length = choose_draft_length({&candidate, 1}, 0, costs).tokens;
    core::TokenId next = fresh;
    if (length > 0) {
      ++verifications;
      next = ++fresh;
      speculator.record_verified(length, 0, 1, kBf16[static_cast<std::size_t>(length)]);
    } else {
      next = candidate.available > 0 ? speculator.draft(1)[0] : i % 7;
      speculator.record_plain();
    }
    speculator.append({&next, 1});
    steps += kBf16[static_cast<std::size_t>(length)];
  }
  EXPECT_GT(verifications, 5) << "probing never stops";
  EXPECT_LE(steps, 2000 * 1.008 + 1.5);
}

TEST(Speculation, ComesBackWhenTextBeginsToRepeat) {
  AcceptanceTracker acceptance(1);
  AcceptanceByStrength others = {};
  for (int i = 0; i < 500; ++i) {
    for (const MatchStrength strength : {MatchStrength::kFour, MatchStrength::kEight}) {
      acceptance.add(0, others, strength, 4, 0);  // the class has never been worth it
    }
  }
  Text text(3);
  const Tokens prompt = text(800);
  Decoding decoding(acceptance, prompt);
  EXPECT_GE(decoding.run(text(300)).speedup(), 0.98);
  EXPECT_GE(decoding.run(prompt).speedup(), 2);
}

TEST(Speculation, ANewSequenceOfTheStreamStartsAfresh) {
  AcceptanceTracker acceptance(1);
  SequenceSpeculator speculator(acceptance);
  speculator.start(0, 10);
  speculator.append(Tokens{1, 2, 3, 4, 1, 2});
  EXPECT_GT(speculator.propose(100).available, 0);
  speculator.record_verified(8, 0, 1, 2.7);
  speculator.start(0, 10);
  speculator.append(Tokens{1, 2});
  const DraftCandidate candidate = speculator.propose(100);
  EXPECT_EQ(candidate.available, 0);
  EXPECT_DOUBLE_EQ(candidate.loss_budget_steps, LossBudgetOptions{}.at_start);
}

TEST(Speculation, NeverDraftsBeyondTheLastToken) {
  AcceptanceTracker acceptance(1);
  SequenceSpeculator speculator(acceptance);
  speculator.start(0, 10);
  speculator.append(Tokens{1, 2, 3, 4, 1, 2});
  EXPECT_EQ(speculator.propose(1).available, 0);
  EXPECT_EQ(speculator.propose(3).available, 2);
  EXPECT_EQ(speculator.draft(15).size(), 2U);
}

}  // namespace
}  // namespace switchyard::speculation
