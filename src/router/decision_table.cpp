#include "router/decision_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace switchyard::router {
namespace {

constexpr double kDraftContextTokens = 512;  ///< at which lanes are compared as drafters

Result<void> check(const RouterSetup& setup) {
  const auto refused = [](std::string why) {
    return Error{ErrorCode::kUsage, std::move(why), "modes"};
  };
  if (setup.lanes.empty() || setup.lanes.size() > kMaxLanes) {
    return refused(
        fmt::format("expected 1 to {} sets of weights, got {}", kMaxLanes, setup.lanes.size()));
  }
  for (const Lane& lane : setup.lanes) {
    if (lane.costs.decode_table_ms.empty() || lane.streams < 1) {
      return refused(fmt::format("no costs of '{}'", lane.weights));
    }
    if (std::count_if(setup.lanes.begin(), setup.lanes.end(),
                      [&](const Lane& other) { return other.weights == lane.weights; }) > 1) {
      return refused(fmt::format("'{}' is listed twice", lane.weights));
    }
  }
  return {};
}

/// The lane with the cheapest lone step, if that is not the reference.
std::optional<std::size_t> find_drafter(const RouterSetup& setup) {
  if (!setup.draft) return std::nullopt;
  const auto lone_ms = [](const Lane& lane) {
    return calibration::decode_ms(lane.costs, 1, kDraftContextTokens);
  };
  const auto cheapest =
      std::min_element(setup.lanes.begin(), setup.lanes.end(),
                       [&](const Lane& a, const Lane& b) { return lone_ms(a) < lone_ms(b); });
  if (cheapest == setup.lanes.begin()) return std::nullopt;
  return static_cast<std::size_t>(cheapest - setup.lanes.begin());
}

}  // namespace

Result<DecisionTable> DecisionTable::compile(RouterSetup setup) {
  if (auto checked = check(setup); !checked) return checked.error();
  DecisionTable table(std::move(setup));
  table.drafter_ = find_drafter(table.setup_);
  for (std::size_t lane = 0; lane < table.setup_.lanes.size(); ++lane) {
    table.weights_.push_back(table.setup_.lanes[lane].weights);
    table.lanes_.push_back(table.compile_lane(lane));
  }
  return table;
}

DecisionTable::CompiledLane DecisionTable::compile_lane(std::size_t lane) const {
  const Lane& from = setup_.lanes[lane];
  CompiledLane compiled{.streams = from.streams,
                        .capacity_tokens = from.capacity_tokens > 0
                                               ? static_cast<float>(from.capacity_tokens)
                                               : std::numeric_limits<float>::max(),
                        .prefill = PrefillCosts(from.costs),
                        .steps = StepTable(from.costs, from.streams)};
  SpeculationTableOptions options{.acceptance = setup_.ngram_acceptance,
                                  .margin = setup_.speculation_margin,
                                  .max_slowdown = setup_.max_slowdown};
  if (setup_.ngram) compiled.ngram.emplace(from.costs, nullptr, options);
  if (compiled.ngram && !compiled.ngram->ever_pays()) compiled.ngram.reset();
  // Drafts of quantized weights are verified by the reference: elsewhere α was not measured.
  if (drafter_ && lane == 0) {
    options.acceptance = draft_acceptance();
    compiled.draft.emplace(from.costs, &setup_.lanes[*drafter_].costs, options);
    if (!compiled.draft->ever_pays()) compiled.draft.reset();
  }
  Features asked;
  for (std::size_t i = 0; i < kVerdictCells; ++i) {
    asked.request_class = static_cast<RequestClass>(i / 2 / kDemands);
    asked.demand = static_cast<Demand>(i / 2 % kDemands);
    asked.logprobs = i % 2 == 1;
    compiled.verdicts[i] =
        lane == 0 ? Verdict::kReference
                  : judge(from.quality, asked.request_class, asked.demand, asked.logprobs);
  }
  return compiled;
}

std::array<double, kRequestClasses> DecisionTable::draft_acceptance() const {
  std::array<double, kRequestClasses> acceptance = {};
  for (std::size_t i = 0; i < kRequestClasses; ++i) {
    const auto& known = setup_.lanes[*drafter_].quality.by_class[i];
    acceptance[i] = known ? known->top1_agreement : setup_.draft_acceptance;
  }
  return acceptance;
}

bool DecisionTable::offers(std::size_t lane, Speculation speculation) const {
  if (speculation == Speculation::kNgram) return lanes_[lane].ngram.has_value();
  if (speculation == Speculation::kDraft) return lanes_[lane].draft.has_value();
  return true;
}

std::size_t DecisionTable::bytes() const {
  std::size_t bytes = 0;
  for (const CompiledLane& lane : lanes_) {
    bytes += lane.steps.bytes() + sizeof(lane.verdicts) + (lane.ngram ? lane.ngram->bytes() : 0) +
             (lane.draft ? lane.draft->bytes() : 0);
  }
  return bytes;
}

}  // namespace switchyard::router
