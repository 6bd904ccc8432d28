#pragma once

#include <array>
#include <string>

#include "config/option.h"

namespace switchyard::config {

/// The options of `prepare`. Which modes there are is the engine's to say, so that list comes as an
/// argument into the help text.
class PrepareCommand {
 public:
  explicit PrepareCommand(const std::string& mode_choices);
  PrepareCommand(const PrepareCommand&) = delete;
  PrepareCommand& operator=(const PrepareCommand&) = delete;

  const CommandSpec& spec() const { return spec_; }

 private:
  std::string modes_help_;
  std::array<OptionSpec, 5> options_;
  CommandSpec spec_;
};

}  // namespace switchyard::config
