#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "router/copy_ratio.h"
#include "router/learned_policy.h"
#include "router/policies.h"
#include "router/request_class.h"
#include "router/simple_setup.h"

// Every allocation of this program goes through here. Tests run in one thread.
namespace {
std::size_t g_allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
  ++g_allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace switchyard::router {
namespace {

TEST(Allocations, ADecisionMakesNone) {
  const auto table = std::make_shared<const DecisionTable>(*DecisionTable::compile(simple_setup()));
  std::vector<std::unique_ptr<Policy>> policies;
  for (const char* name : {"rules", "paper", "random:1", "fixed:q8_0+prefix"}) {
    policies.push_back(*make_policy(name, table));
  }
  policies.push_back(std::make_unique<LearnedPolicy>(table, std::span<const LabelledRequest>()));
  Features features{.prompt_tokens = 700, .output = exact_length(80), .copy_ratio = 0.5F};
  features.shared_prefix_tokens = {500, 200};
  LoadSnapshot load;
  load.lanes[1].running = 3;
  const std::size_t before = g_allocations;
  for (const auto& policy : policies) policy->decide(features, load);
  EXPECT_EQ(g_allocations, before);
}

TEST(Allocations, FeaturesMakeNone) {
  const std::string text = "How many apples are 3 + 4? Reply in JSON.\n" + std::string(4000, 'a');
  const std::vector<std::int32_t> tokens(4096, 1);
  const std::size_t before = g_allocations;
  read_text(text);
  repeated_share(tokens);
  lengths_from_quantiles(100, 300, 256);
  EXPECT_EQ(g_allocations, before);
}

TEST(Allocations, AreCounted) {
  const std::size_t before = g_allocations;
  const auto memory = std::make_unique<std::array<char, 100>>();
  EXPECT_NE(memory, nullptr);
  EXPECT_GT(g_allocations, before);
}

}  // namespace
}  // namespace switchyard::router
