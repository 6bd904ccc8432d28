#include "client/request_body.h"

#include <nlohmann/json.hpp>

namespace switchyard::client {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(workload::Role role) {
  switch (role) {
    case workload::Role::kSystem:
      return "system";
    case workload::Role::kUser:
      return "user";
    case workload::Role::kAssistant:
      return "assistant";
  }
  return "user";
}

}  // namespace

std::string chat_body(const workload::Session& session, const workload::Turn& turn,
                      const BodyOptions& options) {
  Json messages = Json::array();
  for (std::size_t i = 0; i < turn.message_count; ++i) {
    const auto& message = session.messages[i];
    messages.push_back({{"role", name_of(message.role)}, {"content", message.text}});
  }
  Json body = {{"model", options.model},
               {"messages", std::move(messages)},
               {"temperature", 0},
               {"max_tokens", turn.output_tokens},
               {"stream", options.stream}};
  if (options.stream) body["stream_options"] = {{"include_usage", true}};
  if (options.ignore_eos) body["ignore_eos"] = true;
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace switchyard::client
