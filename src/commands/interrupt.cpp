#include "commands/interrupt.h"

#include <atomic>
#include <csignal>

namespace switchyard::commands {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

}  // namespace

Interrupt::Interrupt() {
  struct sigaction action{};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool Interrupt::requested() { return interrupted; }

}  // namespace switchyard::commands
