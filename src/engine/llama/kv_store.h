#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "core/types.h"

struct llama_context;

namespace switchyard::engine {

/// Copies of KV streams in host memory, through llama.cpp's per-sequence state, which reads and
/// writes only the cells in use (docs/adr/0003). What is stored, and how much, is the scheduler's
/// decision. Not thread safe.
class KvStore {
 public:
  /// Of a stored token beside its keys and values: position and sequence count of its cell.
  static constexpr std::uint64_t kCellBytes = 16;

  /// The context outlives the store.
  explicit KvStore(llama_context& context) : context_(context) {}

  /// False, with nothing stored, if there is no memory for it.
  bool save(core::PrefixId prefix, core::StreamId from);
  /// Replaces what the stream holds. False if the prefix is unknown or the stream cannot take it.
  bool restore(core::PrefixId prefix, core::StreamId to);
  /// Replaces what `to` holds by all that `from` holds. `from` ≠ `to`.
  bool copy(core::StreamId from, core::StreamId to);
  void remove(core::PrefixId prefix) { stored_.erase(prefix); }

 private:
  /// Left uninitialised until it is written: zeroing it first would cost as much as the copy.
  struct Bytes {
    std::unique_ptr<std::uint8_t[]> data;
    std::size_t size = 0;
  };

  bool read(core::StreamId from, const Bytes& out);
  bool write(const Bytes& bytes, core::StreamId to);
  static Bytes allocate(std::size_t size);

  llama_context& context_;
  Bytes scratch_;  ///< of copy(); kept, since fresh pages cost more than the copy itself
  std::unordered_map<core::PrefixId, Bytes> stored_;
};

}  // namespace switchyard::engine
