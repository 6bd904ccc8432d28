#pragma once

#include <string>
#include <vector>

namespace switchyard::workload {

enum class Role { kSystem, kUser, kAssistant };

struct Message {
  Role role = Role::kUser;
  std::string text;  ///< valid UTF-8
};

struct Conversation {
  std::vector<Message> messages;
};

}  // namespace switchyard::workload
