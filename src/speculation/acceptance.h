#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace switchyard::speculation {

/// How many tokens a draft's source has in common with the sequence: longer matches are accepted
/// more often, by far the largest difference between drafts.
enum class MatchStrength : std::uint8_t { kTwo, kThree, kFour, kEight };
constexpr std::size_t kMatchStrengths = 4;
MatchStrength strength_of(std::int32_t match_tokens);

/// Acceptance of drafted tokens: the share of drafted tokens that were accepted among those whose
/// predecessors were (the α of Leviathan et al. 2023), the recent ones weighing most. A
/// verification of g tokens that accepts a < g is a successes and one failure; the tokens behind
/// say nothing.
class AcceptanceRate {
 public:
  /// Older observations fade: the weights of all add up to at most `memory_tokens`.
  /// 0 ≤ accepted ≤ drafted.
  void add(std::int32_t drafted, std::int32_t accepted, double memory_tokens);
  /// As if `prior_tokens` more had been observed with acceptance `prior`. 0 … 1.
  double value(double prior, double prior_tokens) const;

 private:
  double accepted_ = 0;
  double observed_ = 0;
};

/// A value for each strength of the match.
using AcceptanceByStrength = std::array<AcceptanceRate, kMatchStrengths>;

struct AcceptanceOptions {
  /// Before anything was observed. Chosen so that only long matches are tried at first.
  std::array<double, kMatchStrengths> prior = {0.15, 0.35, 0.65, 0.85};
  double class_prior_tokens = 16;
  double class_memory_tokens = 512;
  double sequence_prior_tokens = 4;  ///< what the class is worth for one of its sequences
  double sequence_memory_tokens = 48;
};

/// Measured acceptance per request class, which a new sequence starts from, and of sequences, whose
/// observations their owners keep. Fixed memory. Not thread safe.
class AcceptanceTracker {
 public:
  AcceptanceTracker(std::size_t n_classes, const AcceptanceOptions& options = {});

  /// Precondition of both: request_class < n_classes.
  void add(std::size_t request_class, AcceptanceByStrength& sequence, MatchStrength strength,
           std::int32_t drafted, std::int32_t accepted);
  double alpha(std::size_t request_class, const AcceptanceByStrength& sequence,
               MatchStrength strength) const;

  double class_alpha(std::size_t request_class, MatchStrength strength) const;

 private:
  AcceptanceOptions options_;
  std::vector<AcceptanceByStrength> classes_;
};

}  // namespace switchyard::speculation
