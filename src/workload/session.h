#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workload/conversation.h"

namespace switchyard::workload {

/// One request of a session: the session's first `message_count` messages, answered with exactly
/// `output_tokens` tokens if the server honours ignore_eos.
struct Turn {
  std::size_t message_count = 0;
  std::int32_t output_tokens = 0;  ///< ≥ 1
  std::int32_t input_tokens = 0;   ///< aimed at by a synthetic prompt; 0 = the text decides
};

/// What one user sends: requests one after another, each after the previous answer has ended. The
/// history holds the recorded answers, so that every server gets the same prompts.
struct Session {
  std::vector<Message> messages;
  std::vector<Turn> turns;
};

/// Sessions by index. Immutable once made; session() may be costly and is called once per use.
class Workload {
 public:
  virtual ~Workload() = default;
  virtual std::size_t size() const = 0;
  /// Precondition: index < size().
  virtual Session session(std::size_t index) const = 0;
  /// Requests of all sessions together.
  virtual std::int64_t request_count() const = 0;
};

}  // namespace switchyard::workload
