#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "workload/session.h"
#include "workload/sharegpt_reader.h"

namespace switchyard::workload {

/// Which conversations of a ShareGPT file become sessions. 0 = no limit.
struct ConversationFilter {
  std::size_t count = 24;  ///< drawn with `seed` from all that qualify
  std::uint64_t seed = 1;
  std::size_t max_turns = 0;         ///< later turns are left out
  std::size_t below_characters = 0;  ///< of the turns used, questions and answers (code points)
  std::int32_t max_output_tokens = 0;
  bool must_start_with_user = false;  ///< else answers before the first question are dropped
};

/// The workload `sharegpt-turns`: conversations that start with the user and whose first three
/// turns hold fewer than 6,000 characters; output min(96, characters of the recorded answer / 4)
/// tokens.
ConversationFilter sharegpt_turns_filter();

/// Recorded conversations. A turn is a question (or several in a row) and its recorded answer; its
/// output length is a quarter of the answer's characters.
class ConversationWorkload : public Workload {
 public:
  /// Reads the file once, holding only the drawn conversations; kIo if none qualifies.
  static Result<std::unique_ptr<ConversationWorkload>> read(const std::string& path,
                                                            const ConversationFilter& filter);

  std::size_t size() const override { return sessions_.size(); }
  Session session(std::size_t index) const override { return sessions_[index]; }
  std::int64_t request_count() const override;

  const ShareGptSummary& summary() const { return summary_; }
  std::int64_t qualifying() const { return qualifying_; }

 private:
  std::vector<Session> sessions_;
  ShareGptSummary summary_;
  std::int64_t qualifying_ = 0;
};

/// The session that `conversation` makes, if it qualifies.
std::optional<Session> session_of(Conversation conversation, const ConversationFilter& filter);

}  // namespace switchyard::workload
