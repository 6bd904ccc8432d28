#pragma once

#include <string>

#include "workload/session.h"

namespace switchyard::client {

/// Fields of a chat request that do not depend on the turn.
struct BodyOptions {
  std::string model;
  bool ignore_eos = true;  ///< a field of vLLM, llama-server and switchyard, not of OpenAI
  bool stream = true;
};

/// A greedy /v1/chat/completions request for `turn`; a streamed one asks for usage.
std::string chat_body(const workload::Session& session, const workload::Turn& turn,
                      const BodyOptions& options);

}  // namespace switchyard::client
