#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "router/features.h"

namespace switchyard::router {

/// How near the answers of some weights are to the reference's, for one class of requests.
struct Quality {
  double top1_agreement = 0;  ///< share of positions with the reference's most likely token
  double mean_kl = 0;         ///< nats per position
  /// Lower end of the paired 95 % interval of the accuracy difference to the reference, in points.
  /// Empty: the class's tasks were not measured.
  std::optional<double> accuracy_low_points = {};
};

/// What is known of one lane's weights.
struct LaneQuality {
  /// The weights are the reference's own (another kernel, or derived without loss).
  bool is_reference = false;
  std::array<std::optional<Quality>, kRequestClasses> by_class = {};  ///< empty: not measured
};

/// Why weights may or may not serve a class.
enum class Verdict : std::uint8_t {
  kReference,
  kPasses,
  kExactDemanded,
  kQualityUnknown,
  kAgreementLow,
  kDivergenceHigh,
  kAccuracyUnknown,  ///< of a class that has tasks to measure it
  kAccuracyLow,
};
inline constexpr std::size_t kVerdicts = 8;
/// In words, for explanations.
std::string_view verdict_text(Verdict verdict);

inline bool is_eligible(Verdict verdict) {
  return verdict == Verdict::kReference || verdict == Verdict::kPasses;
}

struct QualityFloors {
  double top1_agreement = 0;
  double mean_kl = 0;
};
inline constexpr QualityFloors kBalancedFloors = {0.95, 0.02};
inline constexpr QualityFloors kFastFloors = {0.85, 0.1};
inline constexpr double kAccuracyLossPoints = 1;  ///< the lower end must be above minus this

/// Whether weights of this quality may serve the class (design section 7). What is unknown does not
/// pass. Requests whose answer one token spoils – multiple choice, arithmetic, structured, tools,
/// and log-probabilities – are held to the balanced floors also where `fast` is demanded; multiple
/// choice and arithmetic also to a measured accuracy. `exact` leaves the reference.
Verdict judge(const LaneQuality& quality, RequestClass request_class, Demand demand, bool logprobs);

}  // namespace switchyard::router
