#include "api/chat_messages.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "api/limits.h"

namespace switchyard::api {
namespace {

using engine::ChatMessage;
using nlohmann::json;

Error invalid(std::string param, std::string_view what) {
  std::string message = fmt::format("'{}' {}", param, what);
  return {ErrorCode::kInvalidRequest, std::move(message), std::move(param)};
}

Result<std::string> read_role(const json& message, const std::string& path) {
  constexpr std::array kRoles = {"system", "user", "assistant", "tool"};
  const auto role = message.find("role");
  if (role != message.end()) {
    if (*role == "developer") return std::string("system");
    for (const char* known : kRoles) {
      if (*role == known) return std::string(known);
    }
  }
  return invalid(path + ".role", "must be system, developer, user, assistant or tool");
}

Result<std::string> join_parts(const json& parts, const std::string& path) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const json& part = parts[i];
    const std::string part_path = fmt::format("{}[{}]", path, i);
    if (!part.is_object() || !part.contains("type") || !part["type"].is_string()) {
      return invalid(part_path, "must be an object with a type");
    }
    if (part["type"] != "text") {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("'{}' must have type text: this server reads no other", part_path),
                   part_path};
    }
    if (!part.contains("text") || !part["text"].is_string()) {
      return invalid(part_path + ".text", "must be a string");
    }
    if (i > 0) text += '\n';
    text += part["text"].get_ref<const std::string&>();
  }
  return text;
}

Result<std::string> read_content(const json& message, bool may_be_absent, const std::string& path) {
  const auto content = message.find("content");
  const std::string content_path = path + ".content";
  if (content == message.end() || content->is_null()) {
    if (may_be_absent) return std::string();
    return invalid(content_path, "must be a string or a list of text parts");
  }
  if (content->is_string()) return content->get<std::string>();
  if (content->is_array() && !content->empty()) return join_parts(*content, content_path);
  return invalid(content_path, "must be a string or a list of text parts");
}

bool is_tool_call(const json& call) {
  if (!call.is_object() || !call.contains("function")) return false;
  const json& function = call["function"];
  return function.is_object() && function.contains("name") && function["name"].is_string() &&
         function.contains("arguments") && function["arguments"].is_string();
}

// The calls as JSON text, "" if there are none.
Result<std::string> read_tool_calls(const json& message, const std::string& path) {
  const auto calls = message.find("tool_calls");
  if (calls == message.end() || calls->is_null()) return std::string();
  if (!calls->is_array()) return invalid(path + ".tool_calls", "must be a list");
  for (std::size_t i = 0; i < calls->size(); ++i) {
    if (is_tool_call((*calls)[i])) continue;
    return invalid(fmt::format("{}.tool_calls[{}]", path, i),
                   "must have a function with a name and arguments, both strings");
  }
  return calls->empty() ? std::string() : calls->dump();
}

Result<std::string> read_optional_string(const json& message, const char* key,
                                         const std::string& path) {
  const auto value = message.find(key);
  if (value == message.end() || value->is_null()) return std::string();
  if (!value->is_string()) return invalid(fmt::format("{}.{}", path, key), "must be a string");
  return value->get<std::string>();
}

Result<ChatMessage> read_message(const json& message, const std::string& path) {
  if (!message.is_object()) return invalid(path, "must be an object");
  const auto role = read_role(message, path);
  if (!role) return role.error();
  ChatMessage out;
  out.role = *role;
  if (out.role == "assistant") {
    auto calls = read_tool_calls(message, path);
    if (!calls) return calls.error();
    out.tool_calls_json = std::move(*calls);
  }
  auto content = read_content(message, !out.tool_calls_json.empty(), path);
  if (!content) return content.error();
  auto name = read_optional_string(message, "name", path);
  if (!name) return name.error();
  auto call_id = read_optional_string(message, "tool_call_id", path);
  if (!call_id) return call_id.error();
  out.content = std::move(*content);
  out.name = std::move(*name);
  out.tool_call_id = std::move(*call_id);
  return out;
}

}  // namespace

Result<std::vector<ChatMessage>> read_messages(const json& body) {
  const auto list = body.find("messages");
  if (list == body.end() || !list->is_array() || list->empty() || list->size() > kMaxMessages) {
    return invalid("messages", fmt::format("must be a list of 1 to {} messages", kMaxMessages));
  }
  std::vector<ChatMessage> messages;
  messages.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    auto message = read_message((*list)[i], fmt::format("messages[{}]", i));
    if (!message) return message.error();
    messages.push_back(std::move(*message));
  }
  return messages;
}

}  // namespace switchyard::api
