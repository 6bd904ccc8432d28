#pragma once

namespace switchyard::commands {

/// SIGINT and SIGTERM as a flag, for a command that works on its main thread and asks now and then.
/// A signal also ends a blocking system call of that thread (EINTR); a second one ends the process.
class Interrupt {
 public:
  Interrupt();  ///< once per process, before the work

  static bool requested();
};

}  // namespace switchyard::commands
