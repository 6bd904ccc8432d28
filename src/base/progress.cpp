#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace switchyard {
namespace {

constexpr auto kQuietTime = std::chrono::seconds(2);
constexpr auto kDrawInterval = std::chrono::milliseconds(100);
constexpr int kBarWidth = 24;

}  // namespace

std::string progress_line(const std::string& label, double fraction, double elapsed_seconds) {
  fraction = fraction > 0 ? std::min(fraction, 1.0) : 0.0;  // NaN counts as 0
  const int filled = static_cast<int>(fraction * kBarWidth);
  std::string line = fmt::format("{} [{:<{}}] {:3.0f} %", label, std::string(filled, '#'),
                                 kBarWidth, fraction * 100);
  if (fraction > 0) {
    line += fmt::format("  {:.0f} s left", elapsed_seconds * (1 - fraction) / fraction);
  }
  return line;
}

Progress::Progress(std::string label, std::FILE* stream)
    : label_(std::move(label)),
      stream_(stream),
      terminal_(::isatty(::fileno(stream)) == 1),
      began_(Clock::now()),
      next_draw_(began_ + kQuietTime) {}

Progress::~Progress() { finish(); }

void Progress::update(double fraction) {
  if (!terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_draw_) return;
  next_draw_ = now + kDrawInterval;
  const double elapsed = std::chrono::duration<double>(now - began_).count();
  fmt::print(stream_, "\r{}\x1b[K", progress_line(label_, fraction, elapsed));
  std::fflush(stream_);
  drawn_ = true;
}

void Progress::finish() {
  if (!std::exchange(drawn_, false)) return;
  fmt::print(stream_, "\r\x1b[K");
  std::fflush(stream_);
}

}  // namespace switchyard
