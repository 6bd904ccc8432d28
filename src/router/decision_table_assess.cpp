#include <algorithm>

#include "router/assessment.h"
#include "router/decision_table.h"

namespace switchyard::router {

std::string_view ruled_out_text(RuledOut why) {
  constexpr std::array<std::string_view, kRuledOuts> kTexts = {
      "",
      "quality",
      "prompt and output do not fit a sequence of this lane",
      "its KV memory has no room for prompt and output now",
      "speculation would not be faster",
      "speculation would slow the sequences beside it",
      "the output is too short to pay back the drafting lane's prefill",
  };
  return kTexts[static_cast<std::size_t>(why)];
}

DecisionTable::Device DecisionTable::device_of(const LoadSnapshot& load) const {
  Device device;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const LaneLoad& lane = load.lanes[i];
    const std::int32_t present = std::max(0, lane.running) + std::max(0, lane.waiting);
    device.running[i] = std::min(present, setup_.lanes[i].streams);
    device.step_ms[i] = lanes_[i].steps.step_ms(device.running[i], lane.mean_context_tokens);
    device.round_ms += device.step_ms[i];
    device.sequences += device.running[i];
  }
  return device;
}

DecisionTable::Visit DecisionTable::visit(std::size_t lane, const Features& features,
                                          const LoadSnapshot& load, const Device& device) const {
  const StepTable& steps = lanes_[lane].steps;
  const float mean_context = load.lanes[lane].mean_context_tokens;
  Visit visit;
  visit.output_tokens = features.output.mean();
  visit.context_tokens =
      static_cast<float>(features.prompt_tokens) + features.output.mean_context();
  // A full lane's request starts when one of its sequences has ended.
  const bool full = device.running[lane] == setup_.lanes[lane].streams;
  visit.beside = device.running[lane] - (full ? 1 : 0);
  const auto beside = static_cast<float>(visit.beside);
  const float mixed = (beside * mean_context + visit.context_tokens) / (beside + 1);
  visit.round = {.others_ms = device.round_ms - device.step_ms[lane],
                 .before_ms = steps.step_ms(visit.beside, mean_context),
                 .plain_ms = steps.step_ms(visit.beside + 1, mixed),
                 .neighbours = static_cast<double>(device.sequences - (full ? 1 : 0))};
  return visit;
}

Candidate DecisionTable::plain(std::size_t lane, const Features& features, const LoadSnapshot& load,
                               const Visit& visit, Cost& without_decode) const {
  const Lane& from = setup_.lanes[lane];
  const LaneLoad& at = load.lanes[lane];
  Candidate candidate{.mode = {.lane = static_cast<std::uint8_t>(lane)},
                      .verdict = verdict(lane, features)};
  const float needed = static_cast<float>(features.prompt_tokens) + features.output.p90();
  if (!is_eligible(candidate.verdict)) {
    candidate.ruled_out = RuledOut::kQuality;
  } else if (from.capacity_tokens > 0 && needed > static_cast<float>(from.capacity_tokens)) {
    candidate.ruled_out = RuledOut::kTooLong;
  } else if (needed > static_cast<float>(at.free_kv_tokens) && at.running < from.streams) {
    candidate.ruled_out = RuledOut::kNoMemory;
  }
  const double streams = from.streams;
  const double queued = static_cast<double>(at.running) + at.waiting + 1 - streams;
  const double full_round_ms = visit.round.others_ms + visit.round.plain_ms;
  without_decode.wait_ms = queue_wait_ms(queued, streams, visit.output_tokens, full_round_ms);

  double prefill_ms = plain_prefill_ms(from.costs, features.prompt_tokens);
  std::int32_t computed = features.prompt_tokens;
  if (const std::int32_t shared = features.shared_prefix_tokens[lane];
      shared > 0 && setup_.prefix_reuse) {
    const double reused_ms = shared_prefill_ms(from.costs, features.prompt_tokens, shared);
    if (reused_ms < prefill_ms) {
      candidate.mode.prefix = true;
      prefill_ms = reused_ms;
      computed = std::max(1, features.prompt_tokens - shared);
    }
  }
  const std::int32_t chunk = from.costs.prefill_chunk_tokens;
  add_prefill(visit.round, prefill_ms, (computed + chunk - 1) / chunk, without_decode);
  candidate.cost = without_decode;
  add_plain_decode(visit.round, visit.output_tokens, candidate.cost);
  return candidate;
}

double DecisionTable::draft_prefill_ms(const Features& features) const {
  const Lane& drafter = setup_.lanes[*drafter_];
  const std::int32_t shared = setup_.prefix_reuse ? features.shared_prefix_tokens[*drafter_] : 0;
  return shared > 0 ? shared_prefill_ms(drafter.costs, features.prompt_tokens, shared)
                    : plain_prefill_ms(drafter.costs, features.prompt_tokens);
}

Candidate DecisionTable::speculative(const Candidate& plain, const Cost& without_decode,
                                     Speculation kind, const Features& features,
                                     const Visit& visit) const {
  const CompiledLane& lane = lanes_[plain.mode.lane];
  const bool drafts = kind == Speculation::kDraft;
  const SpeculationCell& cell =
      (drafts ? *lane.draft : *lane.ngram)
          .cell(features.request_class, visit.beside, visit.context_tokens);
  Verification verification = {
      .pass_ms = cell.verify_ratio * lane.steps.step_ms(1, visit.context_tokens),
      .tokens = cell.tokens,
      .coverage = drafts ? 1.0 : features.copy_ratio};
  if (drafts) {
    verification.pass_ms +=
        cell.draft_tokens * lanes_[*drafter_].steps.step_ms(1, visit.context_tokens);
  }
  Candidate candidate = plain;
  candidate.mode.speculation = kind;
  candidate.draft_tokens = cell.draft_tokens;
  const double gain = speculation_gain(visit.round, verification);
  candidate.gain = static_cast<float>(gain);
  candidate.cost = without_decode;
  const double draft_prefill = drafts ? draft_prefill_ms(features) : 0;
  add_prefill(visit.round, draft_prefill, 0, candidate.cost);
  add_speculative_decode(visit.round, verification, visit.output_tokens, candidate.cost);
  if (candidate.ruled_out != RuledOut::kNo) return candidate;

  const double saved_ms =
      visit.output_tokens * (1 - 1 / gain) * (visit.round.others_ms + visit.round.plain_ms);
  if (cell.gate == SpeculationGate::kNotFaster || gain <= 1 + setup_.speculation_margin) {
    candidate.ruled_out = RuledOut::kNotFaster;
  } else if (visit.round.neighbours > 0 &&
             speculation_slowdown(visit.round, verification) > setup_.max_slowdown) {
    candidate.ruled_out = RuledOut::kSlowsNeighbours;
  } else if (saved_ms <= draft_prefill) {
    candidate.ruled_out = RuledOut::kDraftNotPaidBack;
  }
  return candidate;
}

void DecisionTable::assess(const Features& features, const LoadSnapshot& load,
                           Assessment& out) const {
  const Device device = device_of(load);
  out.count = 0;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const Visit found = visit(lane, features, load, device);
    Cost without_decode;
    const Candidate without = plain(lane, features, load, found, without_decode);
    out.storage[out.count++] = without;
    for (const Speculation kind : {Speculation::kNgram, Speculation::kDraft}) {
      if (!offers(lane, kind)) continue;
      out.storage[out.count++] = speculative(without, without_decode, kind, features, found);
    }
  }
}

}  // namespace switchyard::router
