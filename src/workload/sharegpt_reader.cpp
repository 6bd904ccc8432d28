#include "workload/sharegpt_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <optional>
#include <string_view>
#include <utility>

#include "workload/record_scanner.h"
#include "workload/surrogates.h"

namespace switchyard::workload {
namespace {

namespace ondemand = simdjson::ondemand;

std::optional<Role> role_of(std::string_view from) {
  if (from == "human" || from == "user") return Role::kUser;
  if (from == "gpt" || from == "assistant" || from == "chatgpt" || from == "model") {
    return Role::kAssistant;
  }
  if (from == "system") return Role::kSystem;
  return std::nullopt;
}

/// simdjson reports errors as exceptions on the path taken here; they stop in parse_record.
class RecordParser {
 public:
  /// No value if `record` is not a conversation; counts unknown roles in `summary`.
  std::optional<Conversation> parse(std::string_view record, ShareGptSummary& summary) {
    std::int64_t unknown_roles = 0;
    try {
      padded_.assign(record);
      summary.repaired_surrogates += repair_lone_surrogates(padded_);
      const std::size_t length = padded_.size();
      padded_.append(simdjson::SIMDJSON_PADDING, ' ');
      ondemand::document document = parser_.iterate(padded_.data(), length, padded_.size());
      Conversation conversation = read_record(document.get_object(), unknown_roles);
      summary.unknown_role_messages += unknown_roles;
      return conversation;
    } catch (const simdjson::simdjson_error&) {
      return std::nullopt;
    }
  }

 private:
  static Conversation read_record(ondemand::object object, std::int64_t& unknown_roles) {
    Conversation conversation;
    bool has_messages = false;
    for (auto field : object) {
      const std::string_view key = field.unescaped_key();
      if (key != "conversations") continue;
      has_messages = true;
      for (auto element : field.value().get_array()) {
        read_message(element.get_object(), conversation, unknown_roles);
      }
    }
    if (!has_messages) throw simdjson::simdjson_error(simdjson::NO_SUCH_FIELD);
    return conversation;
  }

  static void read_message(ondemand::object object, Conversation& conversation,
                           std::int64_t& unknown_roles) {
    std::optional<std::string> from;
    std::optional<std::string> value;
    for (auto field : object) {
      const std::string_view key = field.unescaped_key();
      if (key == "from") from = std::string(std::string_view(field.value().get_string()));
      if (key == "value") value = std::string(std::string_view(field.value().get_string()));
    }
    if (!from || !value) throw simdjson::simdjson_error(simdjson::NO_SUCH_FIELD);
    if (const auto role = role_of(*from)) {
      conversation.messages.push_back({*role, std::move(*value)});
    } else {
      ++unknown_roles;
    }
  }

  ondemand::parser parser_;
  std::string padded_;
};

}  // namespace

Result<ShareGptSummary> read_sharegpt(const std::string& path,
                                      const std::function<void(Conversation)>& on_conversation) {
  auto file = InputFile::open(path);
  if (!file) return file.error();
  RecordScanner scanner(std::move(*file));
  RecordParser parser;
  ShareGptSummary summary;
  while (true) {
    auto record = scanner.next();
    if (!record) return record.error();
    if (!*record) break;
    auto conversation = parser.parse(**record, summary);
    if (!conversation) {
      if (summary.bad_records++ == 0) summary.first_bad_record_offset = scanner.record_offset();
      continue;
    }
    ++summary.conversations;
    if (conversation->messages.empty()) ++summary.empty_conversations;
    on_conversation(std::move(*conversation));
  }
  summary.cut = scanner.is_cut();
  summary.cut_offset = scanner.cut_offset();
  summary.cut_record_offset = scanner.cut_record_offset();
  return summary;
}

std::vector<std::string> notes_of(const ShareGptSummary& summary) {
  std::vector<std::string> notes;
  if (summary.cut) {
    notes.push_back(
        fmt::format("the file is cut at byte {} (inside or after the record at byte {}); "
                    "its {} whole records are used",
                    summary.cut_offset, summary.cut_record_offset,
                    summary.conversations + summary.bad_records));
  }
  if (summary.bad_records > 0) {
    notes.push_back(fmt::format("{} records are not conversations, the first at byte {}",
                                summary.bad_records, summary.first_bad_record_offset));
  }
  if (summary.unknown_role_messages > 0) {
    notes.push_back(
        fmt::format("{} messages of unknown roles skipped", summary.unknown_role_messages));
  }
  if (summary.empty_conversations > 0) {
    notes.push_back(fmt::format("{} conversations are empty", summary.empty_conversations));
  }
  if (summary.repaired_surrogates > 0) {
    notes.push_back(fmt::format("{} lone surrogates replaced", summary.repaired_surrogates));
  }
  return notes;
}

}  // namespace switchyard::workload
