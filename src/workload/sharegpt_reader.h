#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "workload/conversation.h"

namespace switchyard::workload {

/// What was found in a ShareGPT file, and what was left out of it.
struct ShareGptSummary {
  std::int64_t conversations = 0;  ///< handed to the callback, empty ones included
  std::int64_t empty_conversations = 0;
  std::int64_t unknown_role_messages = 0;  ///< skipped
  std::int64_t bad_records = 0;            ///< whole JSON objects that are not conversations
  std::uint64_t first_bad_record_offset = 0;
  std::int64_t repaired_surrogates = 0;  ///< lone \uD800…\uDFFF escapes, replaced by U+FFFD
  bool cut = false;  ///< the file ends inside a record or before the array's end
  std::uint64_t cut_offset = 0;
  std::uint64_t cut_record_offset = 0;
};

/// Streams the conversations of a ShareGPT JSON file ({"id", "conversations": [{"from", "value"}]},
/// in an array or one after another) through `on_conversation`, in memory bounded by the largest
/// record. A file that is cut gives its whole records.
Result<ShareGptSummary> read_sharegpt(const std::string& path,
                                      const std::function<void(Conversation)>& on_conversation);

/// One line for each thing that `summary` says was skipped, repaired or cut.
std::vector<std::string> notes_of(const ShareGptSummary& summary);

}  // namespace switchyard::workload
