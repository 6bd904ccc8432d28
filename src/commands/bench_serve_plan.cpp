#include "commands/bench_serve_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "workload/conversation_workload.h"
#include "workload/trace_reader.h"

namespace switchyard::commands {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDefaultRequests = 100;
constexpr const char* kShareGptFile = "ShareGPT_V3_unfiltered_cleaned_split.json";

Error usage(std::string message) { return {ErrorCode::kUsage, std::move(message), ""}; }

/// "N" or "N:M", both at least 1.
Result<workload::LengthRange> length_range(const config::Settings& settings,
                                           std::string_view option) {
  const std::string& text = settings.get_string(option);
  workload::LengthRange range;
  const char* end = text.data() + text.size();
  auto parsed = std::from_chars(text.data(), end, range.least);
  range.most = range.least;
  if (parsed.ec == std::errc() && parsed.ptr != end && *parsed.ptr == ':') {
    parsed = std::from_chars(parsed.ptr + 1, end, range.most);
  }
  if (parsed.ec != std::errc() || parsed.ptr != end || range.least < 1 ||
      range.most < range.least) {
    return usage(fmt::format("--{} must be N or N:M with 1 ≤ N ≤ M", option));
  }
  return range;
}

/// --data; a folder in the environment's SWITCHYARD_DATA stands for its usual file; without either,
/// the ShareGPT file that scripts/setup fetches.
Result<std::string> data_file(const config::Settings& settings, bool is_trace) {
  const std::string& data = settings.get_string("data");
  std::error_code ignored;
  if (settings.source("data").starts_with("environment") && fs::is_directory(data, ignored)) {
    const fs::path folder(data);
    return (is_trace ? folder / "traces" / "azure_2023_conv.csv" : folder / kShareGptFile).string();
  }
  if (!data.empty()) return data;
  const fs::path fetched = fs::path(".deps") / "data" / kShareGptFile;
  if (!is_trace && fs::exists(fetched, ignored)) return fetched.string();
  return usage(
      fmt::format("--data FILE is needed: {}", is_trace ? "a trace" : "a ShareGPT JSON file"));
}

Result<void> plan_conversations(const config::Settings& settings, BenchServePlan& plan) {
  auto data = data_file(settings, false);
  if (!data) return data.error();
  plan.data = *data;
  const bool turns = settings.get_string("workload") == "sharegpt-turns";
  workload::ConversationFilter filter;
  if (turns) filter = workload::sharegpt_turns_filter();
  if (!turns) filter.count = kDefaultRequests;
  if (const auto count = settings.get_int("requests"); count > 0) {
    filter.count = static_cast<std::size_t>(count);
  }
  if (const auto most = settings.get_int("max-output-tokens"); most > 0) {
    filter.max_output_tokens = static_cast<std::int32_t>(most);
  }
  filter.seed = static_cast<std::uint64_t>(settings.get_int("seed"));
  auto conversations = workload::ConversationWorkload::read(plan.data, filter);
  if (!conversations) return conversations.error();
  plan.notes = workload::notes_of((*conversations)->summary());
  plan.notes.push_back(fmt::format("{} of {} conversations that qualify", (*conversations)->size(),
                                   (*conversations)->qualifying()));
  plan.workload = std::move(*conversations);
  return {};
}

void clamp_lengths(std::vector<workload::TraceRow>& rows, std::int64_t most_input,
                   std::int64_t most_output, std::vector<std::string>& notes) {
  std::int64_t clamped = 0;
  const auto clamp = [&](std::int32_t& tokens, std::int64_t most) {
    if (most == 0 || tokens <= most) return;
    tokens = static_cast<std::int32_t>(most);
    ++clamped;
  };
  for (auto& row : rows) {
    clamp(row.input_tokens, most_input);
    clamp(row.output_tokens, most_output);
  }
  if (clamped > 0) notes.push_back(fmt::format("{} lengths shortened to their limit", clamped));
}

void use_rows(std::vector<workload::TraceRow> rows, std::int32_t block_tokens,
              const config::Settings& settings, BenchServePlan& plan) {
  clamp_lengths(rows, settings.get_int("max-input-tokens"), settings.get_int("max-output-tokens"),
                plan.notes);
  auto synthetic = std::make_unique<workload::SyntheticWorkload>(
      std::move(rows), block_tokens, static_cast<std::uint64_t>(settings.get_int("seed")));
  plan.synthetic = synthetic.get();
  plan.workload = std::move(synthetic);
}

Result<void> plan_synthetic(const config::Settings& settings, BenchServePlan& plan) {
  const auto input = length_range(settings, "input-tokens");
  if (!input) return input.error();
  const auto output = length_range(settings, "output-tokens");
  if (!output) return output.error();
  const auto count = static_cast<std::size_t>(settings.get_int("requests"));
  const auto seed = static_cast<std::uint64_t>(settings.get_int("seed"));
  use_rows(workload::draw_lengths(count > 0 ? count : kDefaultRequests, *input, *output, seed), 512,
           settings, plan);
  return {};
}

workload::TimestampUnit unit_of(const config::Settings& settings) {
  const std::string& unit = settings.get_string("timestamp-unit");
  if (unit == "s") return workload::TimestampUnit::kSeconds;
  if (unit == "ms") return workload::TimestampUnit::kMilliseconds;
  return workload::TimestampUnit::kAuto;
}

Result<void> plan_trace(const config::Settings& settings, BenchServePlan& plan) {
  auto data = data_file(settings, true);
  if (!data) return data.error();
  plan.data = *data;
  auto trace = workload::read_trace(plan.data, unit_of(settings));
  if (!trace) return trace.error();
  plan.notes = workload::notes_of(*trace);
  const auto count = static_cast<std::size_t>(settings.get_int("requests"));
  plan.notes.push_back(fmt::format("{} requests in the trace", trace->rows.size()));
  if (count > 0 && count < trace->rows.size()) trace->rows.resize(count);
  if (plan.arrival == "trace") {
    auto arrivals = workload::trace_arrivals(trace->rows, settings.get_double("speed"));
    if (!arrivals) return arrivals.error();
    plan.arrivals = std::move(*arrivals);
  }
  use_rows(std::move(trace->rows), trace->block_tokens, settings, plan);
  return {};
}

Result<void> plan_arrivals(const config::Settings& settings, BenchServePlan& plan) {
  const std::size_t count = plan.workload->size();
  const double rate = settings.get_double("rate");
  Result<workload::Arrivals> arrivals = workload::Arrivals();
  if (plan.arrival == "constant") {
    arrivals = workload::constant_arrivals(count, rate);
  } else if (plan.arrival == "poisson") {
    arrivals = workload::poisson_arrivals(count, rate,
                                          static_cast<std::uint64_t>(settings.get_int("seed")));
  } else {
    return {};
  }
  if (!arrivals) return arrivals.error();
  plan.arrivals = std::move(*arrivals);
  return {};
}

/// Checked before any data is read, whether or not the workload uses them.
Result<void> check_numbers(const config::Settings& settings) {
  if (auto speed = workload::trace_arrivals({}, settings.get_double("speed")); !speed) {
    return speed.error();
  }
  if (auto rate = workload::constant_arrivals(0, settings.get_double("rate")); !rate) {
    return rate.error();
  }
  return {};
}

}  // namespace

Result<BenchServePlan> plan_bench_serve(const config::Settings& settings) {
  if (auto checked = check_numbers(settings); !checked) return checked.error();
  const std::string& name = settings.get_string("workload");
  BenchServePlan plan;
  plan.arrival = settings.get_string("arrival");
  if (plan.arrival == "auto") plan.arrival = name == "trace" ? "trace" : "closed";
  if (plan.arrival == "trace" && name != "trace") {
    return usage("--arrival trace needs --workload trace");
  }
  Result<void> planned = name == "trace"       ? plan_trace(settings, plan)
                         : name == "synthetic" ? plan_synthetic(settings, plan)
                                               : plan_conversations(settings, plan);
  if (planned) planned = plan_arrivals(settings, plan);
  if (!planned) return planned.error();
  return plan;
}

}  // namespace switchyard::commands
