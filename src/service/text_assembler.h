#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace switchyard::service {

/// Turns token bytes into text that can be sent: whole UTF-8 characters, ending before the first
/// stop string. What may still become part of a character or of a stop string is held back.
///
/// The match that completes first wins; of two that complete at the same byte, the longer. The
/// result does not depend on how the bytes are cut into tokens. Not thread safe.
class TextAssembler {
 public:
  /// `stops`: non-empty, valid UTF-8.
  explicit TextAssembler(std::vector<std::string> stops);

  /// Takes a token's bytes and appends to `out` what is certain now. True if a stop string was
  /// completed: `out` ends before it and nothing more may be pushed.
  bool push(std::string_view bytes, std::string& out);

  /// The output has ended without a stop string: releases what was held back. An unfinished
  /// character at the end is dropped.
  void finish(std::string& out);

  /// How many of the pushed bytes are certain to be output (or replaced in it) so far.
  std::size_t released_bytes() const { return released_bytes_; }

 private:
  std::size_t held_for_stop() const;

  std::vector<std::string> stops_;
  std::string pending_;
  std::size_t released_bytes_ = 0;
};

}  // namespace switchyard::service
