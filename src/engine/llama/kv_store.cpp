#include "engine/llama/kv_store.h"

#include <llama.h>

#include <new>
#include <utility>

namespace switchyard::engine {

KvStore::Bytes KvStore::allocate(std::size_t size) {
  return {std::unique_ptr<std::uint8_t[]>(new (std::nothrow) std::uint8_t[size]), size};
}

bool KvStore::read(core::StreamId from, const Bytes& out) {
  return out.data && llama_state_seq_get_data(&context_, out.data.get(), out.size, from) > 0;
}

bool KvStore::write(const Bytes& bytes, core::StreamId to) {
  llama_memory_seq_rm(llama_get_memory(&context_), to, -1, -1);
  return llama_state_seq_set_data(&context_, bytes.data.get(), bytes.size, to) > 0;
}

bool KvStore::save(core::PrefixId prefix, core::StreamId from) {
  Bytes bytes = allocate(llama_state_seq_get_size(&context_, from));
  if (!read(from, bytes)) return false;
  stored_[prefix] = std::move(bytes);
  return true;
}

bool KvStore::restore(core::PrefixId prefix, core::StreamId to) {
  const auto found = stored_.find(prefix);
  return found != stored_.end() && write(found->second, to);
}

bool KvStore::copy(core::StreamId from, core::StreamId to) {
  const std::size_t size = llama_state_seq_get_size(&context_, from);
  if (scratch_.size < size) scratch_ = allocate(size);
  return read(from, scratch_) && write(scratch_, to);
}

}  // namespace switchyard::engine
