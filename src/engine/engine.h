#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/batch.h"
#include "core/lane.h"

namespace switchyard::engine {

struct ChatMessage {
  std::string role;  ///< "system", "user", "assistant", "tool"
  std::string content;
  std::string name;             ///< optional
  std::string tool_call_id;     ///< for role "tool"
  std::string tool_calls_json;  ///< for role "assistant": JSON array of tool calls, or empty
};

/// Text ↔ tokens, shared by all lanes of an engine (they are precisions of one model).
/// Every method may be called from any thread.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// `text` is valid UTF-8 and may contain NUL. `add_special`: add BOS/EOS as the model is
  /// configured to. `parse_special`: recognise special-token text such as "<|im_start|>".
  virtual std::vector<core::TokenId> tokenize(std::string_view text, bool add_special,
                                              bool parse_special) const = 0;
  /// Appends the token's bytes, which may end inside a UTF-8 character. Control tokens append
  /// nothing unless `special`.
  virtual void append_piece(core::TokenId token, bool special, std::string& out) const = 0;
  virtual bool is_end_of_generation(core::TokenId token) const = 0;
  virtual std::int32_t vocabulary_size() const = 0;
  /// The model's own chat template over `messages`, ending in the start of the assistant's turn.
  virtual Result<std::string> apply_chat_template(std::span<const ChatMessage> messages) const = 0;
};

/// The lanes of one device. Created by load_llama_engine() or make_sim_engine(); `step` runs on the
/// one engine thread that owns it, the const methods on any thread.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual const Tokenizer& tokenizer() const = 0;
  virtual std::span<const core::LaneInfo> lanes() const = 0;
  /// Evaluates one plan and blocks until it is done. Never throws.
  virtual core::StepResult step(const core::BatchPlan& plan) = 0;
  /// Any thread: the step in flight, and every later one, returns kAborted as soon as possible.
  virtual void abort() noexcept = 0;
};

}  // namespace switchyard::engine
