#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>
#include <utility>

#include "base/progress.h"
#include "calibration/presets.h"
#include "commands/bench_router_draws.h"
#include "commands/bench_router_report.h"
#include "commands/cli.h"
#include "commands/commands.h"
#include "commands/json_file.h"
#include "commands/route_setup.h"
#include "config/bench_router_options.h"
#include "prefix/prefix_tree.h"
#include "router/copy_ratio.h"
#include "router/policies.h"

namespace switchyard::commands {
namespace {

using Clock = std::chrono::steady_clock;
using router::DecisionTable;

constexpr std::size_t kDraws =
    1024;  ///< taken in turn; few enough to be in cache, as a new request is
constexpr std::size_t kExamples = 4096;
constexpr std::size_t kSlowCalls = 2000;  ///< of what takes microseconds
constexpr std::int32_t kPrefixTokens = 4096;
constexpr std::size_t kTextBytes = 4000;

double microseconds(Clock::duration elapsed) {
  return std::chrono::duration<double, std::micro>(elapsed).count();
}

/// Keeps the compiler from leaving out a call whose result nobody reads.
template <typename T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

/// Times `calls` calls of call(i) one by one, less what the timer takes, and as many in a row.
template <typename Call>
CallTimes time_calls(std::size_t calls, double timer_us, const Call& call) {
  std::vector<double> times(calls);
  for (std::size_t i = 0; i < calls; ++i) {
    const auto began = Clock::now();
    keep(call(i));
    times[i] = microseconds(Clock::now() - began);
  }
  const auto began = Clock::now();
  for (std::size_t i = 0; i < calls; ++i) keep(call(i));
  const double total = microseconds(Clock::now() - began);
  const auto quantile = [&times, timer_us](double share) {
    const auto at =
        times.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(times.size() - 1));
    std::nth_element(times.begin(), at, times.end());
    return std::max(0.0, *at - timer_us);
  };
  return {quantile(0.5), quantile(0.99), total / static_cast<double>(calls)};
}

/// Costs of the options, or else of the first built-in profile.
Result<LoadedSetup> read_setup(config::Settings& settings) {
  if (settings.get_string("calibration").empty() && settings.get_string("profile").empty()) {
    const auto& options = config::bench_router_command().options;
    const auto profile = std::find_if(options.begin(), options.end(),
                                      [](const auto& option) { return option.name == "profile"; });
    settings.set(*profile, std::string(calibration::kPresetNames[0]), "default");
  }
  auto read = read_route_setup(settings);
  if (read && !read->quality_given) {
    for (router::Lane& lane : read->setup.lanes) {
      lane.quality.by_class.fill(
          router::Quality{.top1_agreement = 1, .mean_kl = 0, .accuracy_low_points = 0});
    }
  }
  return read;
}

class BenchRouter {
 public:
  BenchRouter(const config::Settings& settings, std::shared_ptr<const DecisionTable> table)
      : table_(std::move(table)),
        calls_(static_cast<std::size_t>(settings.get_int("decisions"))),
        seed_(static_cast<std::uint64_t>(settings.get_int("seed"))),
        draws_(draw_requests(seed_, kDraws, *table_)) {}

  void run(BenchRouterReport& report) {
    Progress progress("timing");
    report.decisions = calls_;
    report.weights.assign(table_->weights().begin(), table_->weights().end());
    report.table_bytes = table_->bytes();
    report.timer = time_calls(calls_, 0, [](std::size_t i) { return i; });
    const std::string fixed = "fixed:" + table_->weights().back();
    for (const std::string& name :
         {std::string("rules"), fixed, std::string("paper"), std::string("random")}) {
      add(name, **router::make_policy(name, table_), report);
      progress.update(static_cast<double>(report.policies.size()) / 7);
    }
    const auto examples = label_by_cost(draw_requests(seed_ + 1, kExamples, *table_), *table_);
    router::LearnedPolicy learned(table_, examples);
    add("learned (logistic)", learned, report);
    time_lookup(report);
    time_features(report);
    progress.update(1);
  }

 private:
  void add(const std::string& name, router::Policy& policy, BenchRouterReport& report) {
    const CallTimes times = time_calls(calls_, report.timer.p50_us, [&](std::size_t i) {
      const RouterDraw& draw = draws_[i % kDraws];
      return policy.decide(draw.features, draw.load);
    });
    report.policies.push_back({name, times});
  }

  /// A prompt that one lane holds but for its last token, among a hundred others.
  void time_lookup(BenchRouterReport& report) {
    prefix::PrefixTree tree;
    std::vector<core::TokenId> prompt(kPrefixTokens + 1);
    for (prefix::HolderId holder = 0; holder < 100; ++holder) {
      std::iota(prompt.begin(), prompt.end(), static_cast<core::TokenId>(holder * 64));
      tree.add(holder, "");
      tree.append(holder, std::span(prompt).first(kPrefixTokens));
    }
    const auto policy = *router::make_policy("rules", table_);
    RouterDraw draw = draws_.front();
    draw.features.prompt_tokens = kPrefixTokens + 1;
    const std::string salt;
    report.rules_with_lookup = time_calls(calls_, report.timer.p50_us, [&](std::size_t) {
      draw.features.shared_prefix_tokens[0] = tree.match_tokens(salt, prompt);
      return policy->decide(draw.features, draw.load);
    });
  }

  static void time_features(BenchRouterReport& report) {
    std::string text;
    while (text.size() < kTextBytes) text += "The quick brown fox asks 3 questions about a dog. ";
    std::vector<std::int32_t> tokens(kPrefixTokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      tokens[i] = static_cast<std::int32_t>(i * i % 977);
    }
    report.text_features = time_calls(kSlowCalls, report.timer.p50_us,
                                      [&](std::size_t) { return router::read_text(text); });
    report.copy_feature = time_calls(kSlowCalls, report.timer.p50_us,
                                     [&](std::size_t) { return router::repeated_share(tokens); });
  }

  std::shared_ptr<const DecisionTable> table_;
  std::size_t calls_;
  std::uint64_t seed_;
  std::vector<RouterDraw> draws_;
};

Result<void> run(config::Settings& settings) {
  auto setup = read_setup(settings);
  if (!setup) return setup.error();
  BenchRouterReport report;
  report.source = setup->source;
  const auto began = Clock::now();
  auto compiled = DecisionTable::compile(std::move(setup->setup));
  if (!compiled) return compiled.error();
  report.compile_ms = microseconds(Clock::now() - began) / 1e3;
  BenchRouter(settings, std::make_shared<const DecisionTable>(*std::move(compiled))).run(report);
  std::fputs(render_table(report).c_str(), stdout);
  const std::string& path = settings.get_string("json");
  return path.empty() ? Result<void>() : write_json_file(path, render_json(report));
}

}  // namespace

int run_bench_router(const std::vector<std::string>& arguments) {
  int status = 0;
  auto settings = parse_or_print(config::bench_router_command(), arguments, status);
  if (!settings) return status;
  const auto done = run(*settings);
  return done ? 0 : fail(done.error());
}

}  // namespace switchyard::commands
