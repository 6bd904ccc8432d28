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
    device.running[i] = std::min(present, lanes_[i].streams);
    device.step_ms[i] = lanes_[i].steps.step_ms(device.running[i], lane.mean_context_tokens);
    device.round_ms += device.step_ms[i];
    device.sequences += device.running[i];
  }
  return device;
}

DecisionTable::Visit DecisionTable::visit(std::size_t lane, const Query& query,
                                          const LoadSnapshot& load, const Device& device) const {
  const StepTable& steps = lanes_[lane].steps;
  const float mean_context = load.lanes[lane].mean_context_tokens;
  // A full lane's request starts when one of its sequences has ended.
  const std::int32_t left = device.running[lane] == lanes_[lane].streams ? 1 : 0;
  Visit visit;
  visit.beside = device.running[lane] - left;
  const auto beside = static_cast<float>(visit.beside);
  const float mixed_context = (beside * mean_context + query.context_tokens) / (beside + 1);
  visit.round = {.others_ms = device.round_ms - device.step_ms[lane],
                 .before_ms = steps.step_ms(visit.beside, mean_context),
                 .plain_ms = steps.step_ms(visit.beside + 1, mixed_context),
                 .neighbours = static_cast<float>(device.sequences - left)};
  return visit;
}

RuledOut DecisionTable::fits(std::size_t lane, const Query& query, const LaneLoad& load) const {
  if (query.needed_tokens > lanes_[lane].capacity_tokens) return RuledOut::kTooLong;
  const bool has_room = query.needed_tokens <= static_cast<float>(load.free_kv_tokens);
  return has_room || load.running >= lanes_[lane].streams ? RuledOut::kNo : RuledOut::kNoMemory;
}

Candidate DecisionTable::plain(std::size_t lane, const Query& query, const LaneLoad& load,
                               Visit& visit) const {
  const CompiledLane& compiled = lanes_[lane];
  Candidate candidate{.mode = {.lane = static_cast<std::uint8_t>(lane)},
                      .verdict = verdict(lane, query.features)};
  const std::int32_t prompt = std::max(1, query.features.prompt_tokens);
  PrefillCosts::Prefill prefill = compiled.prefill.plain(prompt);
  if (setup_.prefix_reuse && query.features.shared_prefix_tokens[lane] > 0) {
    const auto reused = compiled.prefill.shared(prompt, query.features.shared_prefix_tokens[lane]);
    candidate.mode.prefix = reused.ms < prefill.ms;
    if (candidate.mode.prefix) prefill = reused;
  }
  const std::int32_t queued = load.running + load.waiting + 1 - compiled.streams;
  visit.without_decode.wait_ms =
      queue_wait_ms(static_cast<float>(std::max(0, queued)), static_cast<float>(compiled.streams),
                    query.output_tokens, visit.round.others_ms + visit.round.plain_ms);
  add_prefill(visit.round, prefill.ms, prefill.passes, visit.without_decode);
  candidate.cost = visit.without_decode;
  add_plain_decode(visit.round, query.output_tokens, candidate.cost);
  return candidate;
}

PrefillCosts::Prefill DecisionTable::draft_prefill(const Features& features) const {
  const PrefillCosts& costs = lanes_[*drafter_].prefill;
  const std::int32_t prompt = std::max(1, features.prompt_tokens);
  const std::int32_t shared = setup_.prefix_reuse ? features.shared_prefix_tokens[*drafter_] : 0;
  return shared > 0 ? costs.shared(prompt, shared) : costs.plain(prompt);
}

bool DecisionTable::slows_neighbours(const Visit& visit, const Verification& verification) const {
  return visit.round.neighbours > 0 &&
         speculation_slowdown(visit.round, verification) > static_cast<float>(setup_.max_slowdown);
}

RuledOut DecisionTable::gate(const Candidate& candidate, const SpeculationCell& cell,
                             const Query& query, const Visit& visit) const {
  if (cell.gate == SpeculationGate::kNotFaster ||
      candidate.gain <= 1 + static_cast<float>(setup_.speculation_margin)) {
    return RuledOut::kNotFaster;
  }
  if (candidate.mode.speculation != Speculation::kDraft) return RuledOut::kNo;
  const float plain_ms = visit.round.others_ms + visit.round.plain_ms;
  const float saved_ms = query.output_tokens * (1 - 1 / candidate.gain) * plain_ms;
  return saved_ms > draft_prefill(query.features).ms ? RuledOut::kNo : RuledOut::kDraftNotPaidBack;
}

Candidate DecisionTable::speculative(const Candidate& plain, Speculation kind, const Query& query,
                                     const Visit& visit, Scope scope) const {
  const CompiledLane& lane = lanes_[plain.mode.lane];
  const bool drafts = kind == Speculation::kDraft;
  const SpeculationCell& cell =
      (drafts ? *lane.draft : *lane.ngram)
          .cell(query.features.request_class, visit.beside, query.context_tokens);
  Verification verification = {
      .pass_ms = cell.verify_ratio * lane.steps.step_ms(1, query.context_tokens),
      .tokens = cell.tokens,
      .coverage = drafts ? 1.0F : query.features.copy_ratio};
  if (drafts) {
    verification.pass_ms +=
        cell.draft_tokens * lanes_[*drafter_].steps.step_ms(1, query.context_tokens);
  }
  Candidate candidate = plain;
  candidate.mode.speculation = kind;
  candidate.draft_tokens = cell.draft_tokens;
  if (candidate.ruled_out == RuledOut::kNo && slows_neighbours(visit, verification)) {
    candidate.ruled_out = RuledOut::kSlowsNeighbours;
    if (scope == Scope::kAllowed) return candidate;  // most end here where others run
  }
  candidate.gain = speculation_gain(visit.round, verification);
  if (candidate.ruled_out == RuledOut::kNo)
    candidate.ruled_out = gate(candidate, cell, query, visit);
  if (candidate.ruled_out != RuledOut::kNo && scope == Scope::kAllowed) return candidate;
  candidate.cost = visit.without_decode;
  if (drafts) add_prefill(visit.round, draft_prefill(query.features).ms, 0, candidate.cost);
  add_speculative_decode(visit.round, verification, query.output_tokens, candidate.cost);
  return candidate;
}

void DecisionTable::assess(const Features& features, const LoadSnapshot& load, Scope scope,
                           Assessment& out) const {
  const Device device = device_of(load);
  const auto prompt = static_cast<float>(features.prompt_tokens);
  const Query query = {.features = features,
                       .output_tokens = features.output.mean(),
                       .context_tokens = prompt + features.output.mean_context(),
                       .needed_tokens = prompt + features.output.p90()};
  const bool may_copy = scope == Scope::kAll || features.copy_ratio > 0;
  out.clear();
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const RuledOut why = is_eligible(verdict(lane, features)) ? fits(lane, query, load.lanes[lane])
                                                              : RuledOut::kQuality;
    if (why != RuledOut::kNo && scope == Scope::kAllowed) continue;
    Visit found = visit(lane, query, load, device);
    Candidate& candidate = out.add([&] { return plain(lane, query, load.lanes[lane], found); });
    candidate.ruled_out = why;
    for (const Speculation kind : {Speculation::kNgram, Speculation::kDraft}) {
      if (!offers(lane, kind) || (kind == Speculation::kNgram && !may_copy)) continue;
      const Candidate& speculating =
          out.add([&] { return speculative(candidate, kind, query, found, scope); });
      if (speculating.ruled_out != RuledOut::kNo && scope == Scope::kAllowed) out.drop_last();
    }
  }
}

}  // namespace switchyard::router
