#include "calibration/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace switchyard::calibration {
namespace {

using ::testing::HasSubstr;

Identity example() {
  return {.model = "b179c952",
          .version = "0.1.0",
          .engine = "llama.cpp de3ff815ea7d",
          .build_flags = "AVX512 = 1",
          .cpu = "EPYC 9004",
          .cores = 2,
          .memory_bytes = 24ULL << 30U,
          .threads = 0};
}

std::string refusal(const Identity& here) {
  const auto checked = check_identity(example(), here);
  if (checked) return "accepted";
  EXPECT_EQ(checked.error().code, ErrorCode::kUsage);
  EXPECT_THAT(checked.error().message, Not(HasSubstr("\n")));
  return checked.error().message;
}

TEST(Identity, AcceptsTheSame) { EXPECT_TRUE(check_identity(example(), example())); }

TEST(Identity, NamesOtherWeights) {
  Identity here = example();
  here.model = "00ff";
  EXPECT_EQ(refusal(here),
            "the calibration was made for other weights: b179c952, here it is 00ff; run switchyard "
            "calibrate");
}

TEST(Identity, NamesAnotherBuild) {
  Identity here = example();
  here.version = "0.2.0";
  EXPECT_THAT(refusal(here), HasSubstr("another build: version 0.1.0, here it is 0.2.0"));
  here = example();
  here.engine = "llama.cpp 111111111111";
  EXPECT_THAT(refusal(here), HasSubstr("another build: engine llama.cpp de3ff815ea7d"));
  here = example();
  here.build_flags = "";
  EXPECT_THAT(refusal(here), HasSubstr("here it is none"));
}

TEST(Identity, NamesAnotherMachine) {
  Identity here = example();
  here.cpu = "Ryzen 7";
  EXPECT_THAT(refusal(here), HasSubstr("another machine: CPU EPYC 9004, here it is Ryzen 7"));
  here = example();
  here.devices = "A100";
  EXPECT_THAT(refusal(here), HasSubstr("another machine: devices none, here it is A100"));
  here = example();
  here.cores = 8;
  EXPECT_THAT(refusal(here), HasSubstr("another machine: cores 2, here it is 8"));
  here = example();
  here.memory_bytes = 8ULL << 30U;
  EXPECT_THAT(refusal(here), HasSubstr("memory 24 GiB, here it is 8 GiB"));
  here = example();
  here.threads = 1;
  EXPECT_THAT(refusal(here), HasSubstr("other engine threads (0 = one per core): 0"));
}

TEST(Identity, ShowsNoControlCharactersOfAFile) {
  Identity measured = example();
  measured.cpu = "x\x1b[31m\n" + std::string(5000, 'a');
  const auto checked = check_identity(measured, example());
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("x?[31m?aaa"));
  EXPECT_LT(checked.error().message.size(), 300U);
}

TEST(Identity, ThisMachineHasCoresAndMemory) {
  const Identity here = on_this_machine({.model = "m"});
  EXPECT_EQ(here.model, "m");
  EXPECT_GT(here.cores, 0);
  EXPECT_EQ(here.memory_bytes % (1ULL << 30U), 0U);
}

}  // namespace
}  // namespace switchyard::calibration
