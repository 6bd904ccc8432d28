#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/batch.h"
#include "core/lane.h"
#include "engine/sim/sim_text.h"

namespace switchyard::engine {

/// What a lane remembers between steps: the tokens of each stream and the answer its request is
/// giving. Checks plans against it. Not thread safe.
class SimLane {
 public:
  explicit SimLane(const core::LaneInfo& info);

  /// Applies the plan's starts and tokens. Returns what is wrong with the plan, if anything; the
  /// streams are then as they were before the entry that is wrong.
  std::optional<std::string> apply(const core::BatchPlan& plan);
  /// One token for each entry with `sample`, in plan order. Precondition: apply() found no fault.
  std::vector<core::SampledToken> sample(const core::BatchPlan& plan);

 private:
  struct Stream {
    std::vector<core::TokenId> tokens;
    std::shared_ptr<const core::Request> request;
    SimText text;
    core::TokenId last_sampled = -1;  ///< not yet among `tokens`; −1: none
  };

  /// The tokens of the start's source; null if there is no such source.
  const std::vector<core::TokenId>* source_of(const core::SequenceStart& start) const;
  std::optional<std::string> save(const core::PrefixSave& save);
  std::optional<std::string> move(const core::StreamMove& move);
  std::optional<std::string> prepare(const core::BatchPlan& plan);
  std::optional<std::string> check_start(const core::SequenceStart& start) const;
  std::optional<std::string> check_entry(const core::StreamTokens& entry) const;
  std::optional<std::string> check_padding(const core::StreamTokens& entry) const;
  std::optional<std::string> check_tokens(const core::StreamTokens& entry,
                                          const Stream& stream) const;
  bool has_stream(core::StreamId stream) const;
  void start(const core::SequenceStart& start);

  const core::LaneInfo info_;
  std::vector<Stream> streams_;
  std::map<core::PrefixId, std::vector<core::TokenId>> stored_;
  std::int64_t total_tokens_ = 0;
};

}  // namespace switchyard::engine
