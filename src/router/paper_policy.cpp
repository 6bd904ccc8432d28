#include "router/paper_policy.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace switchyard::router {
namespace {

struct PaperRule {
  PaperMode mode;
  Reason reason;
};

constexpr std::int32_t kPressureBatch = 4;
constexpr std::int32_t kShortPrompt = 384;
constexpr float kShortOutput = 64;
constexpr float kLongOutput = 128;

/// The benchmark's cells: prompt and output tokens (SS, SL, LS, LL).
struct Cell {
  float prompt;
  float output;
  PaperMode mode;
};
constexpr Cell kCells[] = {{128, 32, PaperMode::kFourBit},
                           {128, 128, PaperMode::kSpeculative},
                           {1024, 32, PaperMode::kFourBit},
                           {1024, 128, PaperMode::kFourBit}};
constexpr float kCellTolerance = 0.25F;

/// Weights that stand for a published mode, the nearest first.
constexpr std::string_view kInt8Weights[] = {"q8_0", "int8"};
constexpr std::string_view kFourBitWeights[] = {"q4_0", "4bit", "q4_K_M", "iq4_nl", "q4_1"};
constexpr std::string_view kSpeculativeWeights[] = {"speculative"};

template <std::size_t N>
std::uint8_t find_lane(const RouterSetup& setup, const std::string_view (&names)[N]) {
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < setup.lanes.size(); ++i) {
      if (setup.lanes[i].weights == name) return static_cast<std::uint8_t>(i);
    }
  }
  return 0;
}

Mode speculative_mode(const RouterSetup& setup) {
  if (const std::uint8_t lane = find_lane(setup, kSpeculativeWeights); lane != 0) {
    return {.lane = lane};
  }
  if (setup.draft && setup.lanes.size() > 1) return {.speculation = Speculation::kDraft};
  return {.speculation = setup.ngram ? Speculation::kNgram : Speculation::kNone};
}

bool near(float value, float of) { return std::abs(value - of) <= kCellTolerance * of; }

const Cell* find_cell(const Features& features) {
  for (const Cell& cell : kCells) {
    if (near(static_cast<float>(features.prompt_tokens), cell.prompt) &&
        near(features.output.mean(), cell.output)) {
      return &cell;
    }
  }
  return nullptr;
}

bool has_shared_prefix(const Features& features) {
  return std::any_of(features.shared_prefix_tokens.begin(), features.shared_prefix_tokens.end(),
                     [](std::int32_t tokens) { return tokens > 0; });
}

PaperRule match(const Features& features, const LoadSnapshot& load) {
  std::int32_t running = 0;
  for (const LaneLoad& lane : load.lanes) running += lane.running;
  if (running >= kPressureBatch) return {PaperMode::kInt8, Reason::kPaperBatchPressure};
  if (has_shared_prefix(features)) {
    return {PaperMode::kFourBitPrefix, Reason::kPaperSharedPrefix};
  }
  const float output = features.output.mean();
  // The release is told of memory pressure; here it is a reference lane without room.
  if (static_cast<float>(features.prompt_tokens) + output >
      static_cast<float>(load.lanes[0].free_kv_tokens)) {
    return {PaperMode::kFourBit, Reason::kPaperMemoryPressure};
  }
  if (const Cell* cell = find_cell(features)) return {cell->mode, Reason::kPaperCell};
  if (features.request_class == RequestClass::kArithmetic) {
    return {PaperMode::kSpeculative, Reason::kPaperArithmetic};
  }
  if (features.request_class == RequestClass::kMultipleChoice) {
    return {PaperMode::kInt8, Reason::kPaperMultipleChoice};
  }
  if (features.prompt_tokens <= kShortPrompt && output <= kShortOutput) {
    return {PaperMode::kSpeculative, Reason::kPaperShort};
  }
  if (output >= kLongOutput) return {PaperMode::kSpeculative, Reason::kPaperLongOutput};
  return {PaperMode::kInt8, Reason::kPaperOtherwise};
}

}  // namespace

std::array<Mode, kPaperModes> map_paper_modes(const RouterSetup& setup) {
  const std::uint8_t four_bit = find_lane(setup, kFourBitWeights);
  return {Mode{.lane = find_lane(setup, kInt8Weights)}, Mode{.lane = four_bit},
          Mode{.lane = four_bit, .prefix = setup.prefix_reuse}, speculative_mode(setup)};
}

Decision PaperPolicy::decide(const Features& features, const LoadSnapshot& load) {
  const PaperRule rule = match(features, load);
  return {modes_[static_cast<std::size_t>(rule.mode)], rule.reason};
}

}  // namespace switchyard::router
