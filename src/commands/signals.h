#pragma once

namespace switchyard::commands {

/// SIGTERM and SIGINT as a value to wait for instead of a handler. Construct before any other
/// thread, so that all threads inherit the blocked signals.
class ShutdownSignals {
 public:
  ShutdownSignals();

  /// Blocks until a signal or raise(). From then on the next signal ends the process at once with
  /// status 1.
  void wait();

  /// Any thread: makes wait() return, as a signal would.
  static void raise();
};

}  // namespace switchyard::commands
