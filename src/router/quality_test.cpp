#include "router/quality.h"

#include <gtest/gtest.h>

#include <limits>

#include "router/simple_setup.h"

namespace switchyard::router {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Case {
  const char* name;
  LaneQuality quality;
  RequestClass request_class;
  Demand demand;
  bool logprobs;
  Verdict expected;
};

TEST(Quality, JudgesByDemandAndClass) {
  const LaneQuality unknown;
  const LaneQuality reference{.is_reference = true};
  const LaneQuality good = same_quality(0.97, 0.004, -0.5);
  const LaneQuality untested = same_quality(0.97, 0.004);
  const LaneQuality fair = same_quality(0.88, 0.06, -0.5);
  const LaneQuality poor = same_quality(0.765, 0.2);
  using C = RequestClass;
  using D = Demand;
  using V = Verdict;
  const Case cases[] = {
      {"ReferenceMayAlways", reference, C::kArithmetic, D::kExact, true, V::kReference},
      {"UnknownMayNever", unknown, C::kChat, D::kFast, false, V::kQualityUnknown},
      {"ExactLeavesTheReference", good, C::kChat, D::kExact, false, V::kExactDemanded},
      {"GoodServesChat", good, C::kChat, D::kBalanced, false, V::kPasses},
      {"GoodServesTools", good, C::kTools, D::kBalanced, false, V::kPasses},
      {"GoodServesChoice", good, C::kMultipleChoice, D::kBalanced, false, V::kPasses},
      {"FairIsNotBalanced", fair, C::kChat, D::kBalanced, false, V::kAgreementLow},
      {"FairIsFast", fair, C::kCode, D::kFast, false, V::kPasses},
      {"HardIsHeldToBalanced", fair, C::kStructured, D::kFast, false, V::kAgreementLow},
      {"LogprobsAreHeldToBalanced", fair, C::kChat, D::kFast, true, V::kAgreementLow},
      {"PoorIsNotFast", poor, C::kChat, D::kFast, false, V::kAgreementLow},
      {"AtTheFloorPasses", same_quality(0.95, 0.02), C::kChat, D::kBalanced, false, V::kPasses},
      {"KlCountsToo", same_quality(0.99, 0.021), C::kChat, D::kBalanced, false, V::kDivergenceHigh},
      {"ChoiceNeedsAccuracy", untested, C::kMultipleChoice, D::kFast, false, V::kAccuracyUnknown},
      {"ArithmeticNeedsAccuracy", untested, C::kArithmetic, D::kBalanced, false,
       V::kAccuracyUnknown},
      {"APointLostIsTooMuch", same_quality(0.99, 0.001, -1.0), C::kArithmetic, D::kBalanced, false,
       V::kAccuracyLow},
      {"NanIsNoPass", same_quality(kNan, 0.001), C::kChat, D::kFast, false, V::kAgreementLow},
      {"NanKlIsNoPass", same_quality(0.99, kNan), C::kChat, D::kFast, false, V::kDivergenceHigh},
      {"NanAccuracyIsNoPass", same_quality(0.99, 0.001, kNan), C::kMultipleChoice, D::kBalanced,
       false, V::kAccuracyLow},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(verdict_text(judge(c.quality, c.request_class, c.demand, c.logprobs)),
              verdict_text(c.expected))
        << c.name;
  }
}

}  // namespace
}  // namespace switchyard::router
