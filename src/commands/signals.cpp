#include "commands/signals.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>

namespace switchyard::commands {
namespace {

sigset_t shutdown_set() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

ShutdownSignals::ShutdownSignals() {
  const sigset_t set = shutdown_set();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

void ShutdownSignals::wait() {
  const sigset_t set = shutdown_set();
  int signal = 0;
  sigwait(&set, &signal);
  const auto end_at_once = [](int) { _exit(1); };
  std::signal(SIGTERM, end_at_once);
  std::signal(SIGINT, end_at_once);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void ShutdownSignals::raise() { kill(getpid(), SIGTERM); }

}  // namespace switchyard::commands
