#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace switchyard {

/// A progress bar with time left on one line of a terminal. Silent when `stream` is not a terminal
/// and for what is done within two seconds. Not thread safe.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Progress(std::string label, std::FILE* stream = stderr);
  ~Progress();  ///< as finish()
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `fraction` done, 0 … 1. Draws at most ten times a second.
  void update(double fraction);
  /// Clears the bar. Idempotent.
  void finish();

 private:
  const std::string label_;
  std::FILE* const stream_;
  const bool terminal_;
  const Clock::time_point began_;
  Clock::time_point next_draw_;
  bool drawn_ = false;
};

/// The bar's text: `label [#####     ]  50 %  12 s left`. No time left at fraction 0.
std::string progress_line(const std::string& label, double fraction, double elapsed_seconds);

}  // namespace switchyard
