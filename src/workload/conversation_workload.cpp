#include "workload/conversation_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "workload/random.h"

namespace switchyard::workload {
namespace {

constexpr std::size_t kCharactersPerToken = 4;

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::int32_t output_tokens_of(std::size_t characters, std::int32_t max_output_tokens) {
  const auto limit =
      static_cast<std::size_t>(max_output_tokens > 0 ? max_output_tokens : INT32_MAX);
  return static_cast<std::int32_t>(
      std::clamp<std::size_t>(characters / kCharactersPerToken, 1, limit));
}

/// A session with its place in the file.
using Drawn = std::pair<std::int64_t, Session>;

/// A uniform sample of `count` out of a stream of unknown length (Vitter's algorithm R).
class Reservoir {
 public:
  Reservoir(std::size_t count, std::uint64_t seed) : count_(count), random_(seed) {}

  void offer(Session session) {
    const std::int64_t place = seen_++;
    if (count_ == 0 || drawn_.size() < count_) {
      drawn_.emplace_back(place, std::move(session));
      return;
    }
    const std::uint64_t slot = random_.below(static_cast<std::uint64_t>(seen_));
    if (slot < count_) drawn_[slot] = {place, std::move(session)};
  }

  std::int64_t seen() const { return seen_; }

  std::vector<Session> take() {
    std::sort(drawn_.begin(), drawn_.end(),
              [](const Drawn& a, const Drawn& b) { return a.first < b.first; });
    std::vector<Session> sessions;
    sessions.reserve(drawn_.size());
    for (auto& [place, session] : drawn_) sessions.push_back(std::move(session));
    return sessions;
  }

 private:
  std::size_t count_;
  Random random_;
  std::vector<Drawn> drawn_;
  std::int64_t seen_ = 0;
};

}  // namespace

ConversationFilter sharegpt_turns_filter() {
  ConversationFilter filter;
  filter.max_turns = 3;
  filter.below_characters = 6000;
  filter.max_output_tokens = 96;
  filter.must_start_with_user = true;
  return filter;
}

std::optional<Session> session_of(Conversation conversation, const ConversationFilter& filter) {
  auto& messages = conversation.messages;
  if (filter.must_start_with_user && (messages.empty() || messages.front().role != Role::kUser)) {
    return std::nullopt;
  }
  while (!messages.empty() && messages.front().role == Role::kAssistant) {
    messages.erase(messages.begin());
  }
  Session session;
  std::size_t characters = 0;
  std::size_t used_characters = 0;
  std::size_t used_messages = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::size_t length = code_points(messages[i].text);
    characters += length;
    const bool is_answer =
        messages[i].role == Role::kAssistant && i > 0 && messages[i - 1].role == Role::kUser;
    if (!is_answer) continue;
    session.turns.push_back({i, output_tokens_of(length, filter.max_output_tokens), 0});
    used_characters = characters;
    used_messages = i;
    if (session.turns.size() == filter.max_turns) break;
  }
  if (session.turns.empty()) return std::nullopt;
  if (filter.below_characters > 0 && used_characters >= filter.below_characters) {
    return std::nullopt;
  }
  messages.resize(used_messages);  // the last answer is never sent
  session.messages = std::move(messages);
  return session;
}

Result<std::unique_ptr<ConversationWorkload>> ConversationWorkload::read(
    const std::string& path, const ConversationFilter& filter) {
  Reservoir reservoir(filter.count, filter.seed);
  auto summary = read_sharegpt(path, [&](Conversation conversation) {
    if (auto session = session_of(std::move(conversation), filter)) {
      reservoir.offer(std::move(*session));
    }
  });
  if (!summary) return summary.error();
  auto workload = std::make_unique<ConversationWorkload>();
  workload->summary_ = *summary;
  workload->qualifying_ = reservoir.seen();
  workload->sessions_ = reservoir.take();
  if (workload->sessions_.empty()) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: none of its {} conversations qualifies for this workload", path,
                             summary->conversations),
                 ""};
  }
  return workload;
}

std::int64_t ConversationWorkload::request_count() const {
  std::int64_t count = 0;
  for (const auto& session : sessions_) count += static_cast<std::int64_t>(session.turns.size());
  return count;
}

}  // namespace switchyard::workload
