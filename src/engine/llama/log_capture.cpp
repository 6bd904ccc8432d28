#include "engine/llama/log_capture.h"

#include <llama.h>
#include <log.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace switchyard::engine {
namespace {

constexpr std::size_t kLongestLine = 300;

struct Capture {
  std::mutex mutex;
  std::string first_error;
  std::function<void(std::string_view)> listener;
};

Capture& capture() {
  static Capture instance;
  return instance;
}

/// One line of printable ASCII, without llama.cpp's leading "function: ".
std::string clean(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, kLongestLine)) {
    const bool printable = c >= ' ' && c <= '~';
    if (printable || (!line.empty() && line.back() != ' ')) line += printable ? c : ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  const std::size_t colon = line.find(": ");
  const bool function_name =
      colon != std::string::npos &&
      std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      });
  return function_name ? line.substr(colon + 2) : line;
}

void on_log(ggml_log_level level, const char* text, void* /*user*/) {
  Capture& state = capture();
  const std::lock_guard lock(state.mutex);
  if (level == GGML_LOG_LEVEL_ERROR && state.first_error.empty()) state.first_error = clean(text);
  if (state.listener) state.listener(text);
}

}  // namespace

void capture_llama_log() {
  static std::once_flag once;
  std::call_once(once, [] {
    llama_log_set(on_log, nullptr);
    common_log_set_verbosity_thold(-1);  // chat templates log through `common`
  });
}

std::string first_llama_error() {
  const std::lock_guard lock(capture().mutex);
  return capture().first_error;
}

void clear_llama_error() {
  const std::lock_guard lock(capture().mutex);
  capture().first_error.clear();
}

LogListener::LogListener(std::function<void(std::string_view)> listener) {
  const std::lock_guard lock(capture().mutex);
  capture().listener = std::move(listener);
}

LogListener::~LogListener() {
  const std::lock_guard lock(capture().mutex);
  capture().listener = nullptr;
}

}  // namespace switchyard::engine
