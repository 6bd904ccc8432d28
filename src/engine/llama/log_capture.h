#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace switchyard::engine {

/// Takes llama.cpp's log away from stderr, for the life of the process. Thread safe, idempotent.
void capture_llama_log();

/// The first error line llama.cpp logged on any thread since clear_llama_error(), cleaned to one
/// printable line; empty if none. The first names the cause, later ones who gave up because of it.
std::string first_llama_error();
void clear_llama_error();

/// While it lives, every line llama.cpp logs is shown to `listener` (on the logging thread). One at
/// a time.
class LogListener {
 public:
  explicit LogListener(std::function<void(std::string_view)> listener);
  ~LogListener();
  LogListener(const LogListener&) = delete;
  LogListener& operator=(const LogListener&) = delete;
};

}  // namespace switchyard::engine
