#include "commands/route_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "commands/route_what_if.h"
#include "router/copy_ratio.h"

namespace switchyard::commands {
namespace {

using router::Candidate;
using router::RuledOut;

constexpr std::size_t kIndent = 12;

std::string line(std::string_view label, const std::string& text) {
  return fmt::format("{:<{}}{}\n", label, kIndent, text);
}

std::string_view class_rule(const router::Features& features) {
  using router::RequestClass;
  switch (features.request_class) {
    case RequestClass::kMultipleChoice:
    case RequestClass::kArithmetic:
      return "one wrong token spoils it: other weights need measured accuracy";
    case RequestClass::kStructured:
    case RequestClass::kTools:
      return "one wrong token spoils it: held to the balanced floors";
    case RequestClass::kChat:
    case RequestClass::kCode:
      break;
  }
  return "judged by agreement and divergence";
}

std::string request_lines(const RouteReport& report) {
  const RouteRequest& request = report.request;
  const router::Features& features = request.features;
  std::string text =
      line("Request", fmt::format("{} bytes, about {} prompt tokens (no tokenizer here: 4 bytes "
                                  "each)",
                                  request.characters, features.prompt_tokens));
  text += line("", fmt::format("class {}: {}", router::class_name(features.request_class),
                               class_rule(features)));
  text += line("", fmt::format("output {:.0f} tokens on average ({:.0f} at the median, {:.0f} at "
                               "90 %; {}), at most {}",
                               features.output.mean(), features.output.p50(), features.output.p90(),
                               request.output_assumed ? "usual for the class" : "as given",
                               request.max_tokens));
  text += line("", fmt::format("{:.0f} % of the output may repeat the prompt ({})",
                               features.copy_ratio * 100,
                               request.asks_to_copy ? "asks to work on a given text"
                                                    : "from how much the prompt repeats itself"));
  if (const std::int32_t shared = features.shared_prefix_tokens[0]; shared > 0) {
    text += line("", fmt::format("{} prompt tokens are in memory already", shared));
  }
  return text +
         line("", fmt::format("demand {}, {}",
                              router::kDemandNames[static_cast<std::size_t>(features.demand)],
                              features.greedy ? "greedy" : "sampled"));
}

std::string load_text(const RouteReport& report) {
  std::vector<std::string> busy;
  for (std::size_t i = 0; i < report.table.weights().size(); ++i) {
    const router::LaneLoad& lane = report.request.load.lanes[i];
    if (lane.running + lane.waiting == 0) continue;
    busy.push_back(fmt::format("{}: {} running at {:.0f} tokens of context, {} waiting",
                               report.table.weights()[i], lane.running, lane.mean_context_tokens,
                               lane.waiting));
  }
  return busy.empty() ? "idle" : fmt::format("{}", fmt::join(busy, "; "));
}

std::string machine_lines(const RouteReport& report) {
  std::string text = line("Costs", fmt::format("{} ({})", report.setup.source, report.setup.label));
  text += line(
      "Weights",
      fmt::format("{}; {} is the reference{}", fmt::join(report.table.weights(), ", "),
                  report.table.weights().front(),
                  report.setup.quality_given ? "" : "; no --quality, so the others' is unknown"));
  return text + line("Load", load_text(report));
}

/// Allowed ones first, each group by cost.
std::vector<const Candidate*> ordered(const RouteReport& report) {
  std::vector<const Candidate*> candidates;
  for (const Candidate& candidate : report.assessment.candidates()) {
    candidates.push_back(&candidate);
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto* a, const auto* b) {
    const bool a_out = a->ruled_out != RuledOut::kNo;
    const bool b_out = b->ruled_out != RuledOut::kNo;
    return a_out != b_out ? b_out : a->cost.total_ms() < b->cost.total_ms();
  });
  return candidates;
}

std::string candidate_line(const RouteReport& report, const Candidate& candidate) {
  const bool chosen = candidate.mode == report.decision.mode;
  std::string text =
      fmt::format("{} {:<22}", chosen ? '>' : ' ', report.table.name_of(candidate.mode));
  const router::Cost& cost = candidate.cost;
  text += fmt::format("{:>9.0f}{:>9.0f}{:>9.0f}{:>9.0f}{:>10.0f}", cost.wait_ms, cost.prefill_ms,
                      cost.decode_ms, cost.neighbours_ms, cost.total_ms());
  if (const std::string why = objection(report, candidate); !why.empty()) return text + "  " + why;
  if (candidate.mode.speculation != router::Speculation::kNone) {
    text += fmt::format("  drafts of {}, {:.2f}x the pace", candidate.draft_tokens, candidate.gain);
  }
  return text;
}

std::string candidate_lines(const RouteReport& report) {
  std::string text = fmt::format("{:<24}{:>9}{:>9}{:>9}{:>9}{:>10}\n", "Expected ms", "wait",
                                 "prefill", "decode", "others", "total");
  for (const Candidate* candidate : ordered(report)) {
    text += candidate_line(report, *candidate) + "\n";
  }
  std::vector<std::string> never;
  for (std::size_t lane = 0; lane < report.table.weights().size(); ++lane) {
    if (!report.table.offers(lane, router::Speculation::kNgram)) {
      never.push_back(report.table.weights()[lane] + "+ngram");
    }
  }
  if (!report.table.offers(0, router::Speculation::kDraft)) {
    never.push_back(report.table.weights()[0] + "+draft");
  }
  if (never.empty()) return text;
  return text + fmt::format("  Never pays with these costs: {}\n", fmt::join(never, ", "));
}

std::string choice_lines(const RouteReport& report) {
  std::string text =
      line("Choice", fmt::format("{} ({}: {})", report.table.name_of(report.decision.mode),
                                 report.policy, router::reason_text(report.decision.reason).why));
  for (const std::string& change : what_would_change(report)) text += line("", change);
  return text;
}

}  // namespace

std::string explain_text(const RouteReport& report) {
  return request_lines(report) + machine_lines(report) + "\n" + candidate_lines(report) + "\n" +
         choice_lines(report);
}

std::string objection(const RouteReport& report, const Candidate& candidate) {
  if (candidate.ruled_out == RuledOut::kNo) return "";
  if (candidate.ruled_out != RuledOut::kQuality) {
    std::string text = fmt::format("ruled out: {}", router::ruled_out_text(candidate.ruled_out));
    if (candidate.ruled_out == RuledOut::kNotFaster) {
      text += fmt::format(" ({:.2f}x)", candidate.gain);
    }
    return text;
  }
  std::string text = fmt::format("ruled out: {}", router::verdict_text(candidate.verdict));
  const auto& known =
      report.table.setup()
          .lanes[candidate.mode.lane]
          .quality.by_class[static_cast<std::size_t>(report.request.features.request_class)];
  if (!known) return text;
  if (candidate.verdict == router::Verdict::kAgreementLow) {
    text += fmt::format(" ({:.3f})", known->top1_agreement);
  } else if (candidate.verdict == router::Verdict::kDivergenceHigh) {
    text += fmt::format(" ({:.4f})", known->mean_kl);
  } else if (candidate.verdict == router::Verdict::kAccuracyLow) {
    text += fmt::format(" ({:+.1f})", *known->accuracy_low_points);
  }
  return text;
}

}  // namespace switchyard::commands
