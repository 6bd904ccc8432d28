#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"

namespace switchyard::api {

/// `messages`: 1 … kMaxMessages turns. Roles system, developer (read as system), user, assistant,
/// tool. Content is a string or a list of text parts (joined by newlines); only an assistant turn
/// with tool calls may leave it out or null, which is read as "".
Result<std::vector<engine::ChatMessage>> read_messages(const nlohmann::json& body);

}  // namespace switchyard::api
