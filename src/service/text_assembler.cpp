#include "service/text_assembler.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace switchyard::service {

TextAssembler::TextAssembler(std::vector<std::string> stops) : stops_(std::move(stops)) {}

bool TextAssembler::push(std::string_view bytes, std::string& out) {
  pending_.append(bytes);

  std::size_t best_end = std::string::npos;
  std::size_t best_start = 0;
  for (const std::string& stop : stops_) {
    const std::size_t start = pending_.find(stop);
    if (start == std::string::npos) continue;
    const std::size_t end = start + stop.size();
    if (end < best_end || (end == best_end && start < best_start)) {
      best_end = end;
      best_start = start;
    }
  }
  if (best_end != std::string::npos) {
    append_valid_utf8(std::string_view(pending_).substr(0, best_start), out);
    released_bytes_ += best_start;
    pending_.clear();
    return true;
  }

  const std::size_t held = std::max(held_for_stop(), unfinished_utf8_suffix(pending_));
  append_valid_utf8(std::string_view(pending_).substr(0, pending_.size() - held), out);
  released_bytes_ += pending_.size() - held;
  pending_.erase(0, pending_.size() - held);
  return false;
}

void TextAssembler::finish(std::string& out) {
  const std::size_t keep = pending_.size() - unfinished_utf8_suffix(pending_);
  append_valid_utf8(std::string_view(pending_).substr(0, keep), out);
  pending_.clear();
}

// Longest suffix of pending_ that a stop string starts with.
std::size_t TextAssembler::held_for_stop() const {
  std::size_t held = 0;
  for (const std::string& stop : stops_) {
    for (std::size_t n = std::min(stop.size() - 1, pending_.size()); n > held; --n) {
      if (std::string_view(pending_).substr(pending_.size() - n) ==
          std::string_view(stop).substr(0, n)) {
        held = n;
      }
    }
  }
  return held;
}

}  // namespace switchyard::service
