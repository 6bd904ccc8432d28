#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <fstream>
#include <utility>

#include "base/progress.h"
#include "client/http_call.h"
#include "client/load_summary.h"
#include "client/prompt_calibration.h"
#include "client/stream_event.h"
#include "commands/bench_serve_plan.h"
#include "commands/bench_serve_report.h"
#include "commands/commands.h"
#include "commands/json_file.h"
#include "config/bench_serve_options.h"
#include "config/parse.h"

namespace switchyard::commands {
namespace {

int fail(const Error& error) {
  fmt::print(stderr, "switchyard bench serve: {}\n", error.message);
  return is_usage_error(error.code) ? 2 : 1;
}

/// Every request in flight is a socket; the soft limit is often 1,024.
void raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

Result<std::string> read_api_key(const std::string& path) {
  if (path.empty()) return std::string();
  std::ifstream file(path);
  std::string key;
  if (!std::getline(file, key) || key.empty()) {
    return Error{ErrorCode::kIo, path + ": no API key in its first line", ""};
  }
  if (key.back() == '\r') key.pop_back();
  return key;
}

client::Slo slo_of(const config::Settings& settings) {
  return {.ttft_ms = settings.get_double("slo-ttft-ms"),
          .itl_ms = settings.get_double("slo-itl-ms"),
          .tpot_ms = settings.get_double("slo-tpot-ms"),
          .e2e_ms = settings.get_double("slo-e2e-ms")};
}

/// The model to ask for. A server that lists none gets "default"; whether it answers at all is the
/// run's to find out.
std::string settle_model(const std::string& asked, const client::HttpCall& server) {
  if (!asked.empty()) return asked;
  client::HttpCall request = server;
  request.path = "/v1/models";
  const auto answer = client::call(request);
  const std::string first =
      answer && answer->status == 200 ? client::first_model_of(answer->body) : std::string();
  return first.empty() ? "default" : first;
}

class BenchServe {
 public:
  explicit BenchServe(const config::Settings& settings) : settings_(settings) {}

  int run() {
    if (auto ready = prepare(); !ready) return fail(ready.error());
    if (auto ran = run_rounds(); !ran) return fail(ran.error());
    const BenchServeReport report{settings_, plan_, targets_, interrupted_};
    fmt::print("{}", render_table(report));
    if (const auto& path = settings_.get_string("json"); !path.empty()) {
      if (auto written = write_json_file(path, render_json(report)); !written) {
        return fail(written.error());
      }
    }
    return interrupted_ || any_target_without_answer() ? 1 : 0;
  }

 private:
  Result<void> prepare() {
    for (const char* option : {"url", "compare"}) {
      const std::string& text = settings_.get_string(option);
      if (text.empty()) continue;
      auto url = client::parse_url(text);
      if (!url) return url.error();
      urls_.push_back(std::move(*url));
      targets_.push_back({.url = text});
    }
    auto key = read_api_key(settings_.get_string("api-key-file"));
    if (!key) return key.error();
    api_key_ = std::move(*key);
    auto plan = plan_bench_serve(settings_);
    if (!plan) return plan.error();
    plan_ = std::move(*plan);
    raise_open_file_limit();
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      targets_[i].model =
          settle_model(settings_.get_string(i == 0 ? "model" : "compare-model"), server(i));
    }
    if (plan_.synthetic != nullptr) fit_prompts();
    return {};
  }

  client::HttpCall server(std::size_t target) const {
    client::HttpCall call;
    call.url = urls_[target];
    call.api_key = api_key_;
    return call;
  }

  /// Both targets get the same texts, fitted to the first one's tokenizer.
  void fit_prompts() {
    const auto scale = client::calibrate_prompts(server(0), {.model = targets_[0].model});
    if (!scale) {
      plan_.notes.push_back("prompt lengths are counted in words: " + scale.error().message);
      return;
    }
    plan_.synthetic->set_scale(*scale);
    plan_.notes.push_back(fmt::format(
        "prompt lengths are approximate: {:.3f} tokens per word and {:.0f} around them, "
        "from the server's usage in two unmeasured requests",
        scale->tokens_per_word, scale->overhead_tokens));
  }

  std::int64_t round_count() const {
    const std::int64_t asked = settings_.get_int("rounds");
    if (asked > 0) return asked;
    return targets_.size() > 1 ? 3 : 1;
  }

  /// Two targets take turns, and who begins alternates: what drifts hits both alike.
  Result<void> run_rounds() {
    const std::int64_t rounds = round_count();
    for (std::int64_t round = 0; round < rounds && !interrupted_; ++round) {
      for (std::size_t i = 0; i < targets_.size() && !interrupted_; ++i) {
        const std::size_t target = round % 2 == 0 ? i : targets_.size() - 1 - i;
        if (auto ran = run_round(
                target, fmt::format("round {}/{} {}", round + 1, rounds, targets_[target].url));
            !ran) {
          return ran;
        }
      }
    }
    return {};
  }

  Result<void> run_round(std::size_t target, const std::string& label) {
    Progress progress(label);
    client::LoadOptions options;
    options.url = urls_[target];
    options.api_key = api_key_;
    options.body = {.model = targets_[target].model,
                    .ignore_eos = settings_.get_bool("ignore-eos")};
    options.concurrency = static_cast<std::size_t>(settings_.get_int("concurrency"));
    options.timeout_seconds = settings_.get_double("timeout");
    options.on_progress = [&](const client::LoadProgress& now) {
      progress.update(static_cast<double>(now.finished) / static_cast<double>(now.total));
    };
    auto run = client::run_load(*plan_.workload, plan_.arrivals, options);
    if (!run) return run.error();
    interrupted_ = run->interrupted;
    targets_[target].rounds.push_back(client::summarize(*run, slo_of(settings_)));
    return {};
  }

  bool any_target_without_answer() const {
    for (const auto& target : targets_) {
      bool answered = false;
      for (const auto& round : target.rounds) answered = answered || round.completed > 0;
      if (!answered) return true;
    }
    return false;
  }

  const config::Settings& settings_;
  std::vector<client::Url> urls_;  ///< of targets_
  std::vector<BenchTarget> targets_;
  std::string api_key_;
  BenchServePlan plan_;
  bool interrupted_ = false;
};

}  // namespace

int run_bench_serve(const std::vector<std::string>& arguments) {
  const auto parsed = config::parse(config::bench_serve_command(), arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->text) {
    fmt::print("{}", *parsed->text);
    return 0;
  }
  return BenchServe(parsed->settings).run();
}

}  // namespace switchyard::commands
