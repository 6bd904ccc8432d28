#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/option.h"

namespace switchyard::config {

/// A command's effective options: every declared one has a value in its range, and the place it
/// came from. Asking for an undeclared name or another type is a bug and aborts.
class Settings {
 public:
  const std::string& get_string(std::string_view name) const;
  std::int64_t get_int(std::string_view name) const;
  double get_double(std::string_view name) const;
  bool get_bool(std::string_view name) const;
  const std::vector<std::string>& get_list(std::string_view name) const;

  /// "command line", "environment SWITCHYARD_PORT", "config FILE" or "default".
  const std::string& source(std::string_view name) const;
  bool is_default(std::string_view name) const { return source(name) == "default"; }

  /// All values with their sources as comments, in order of declaration; itself a valid config
  /// file.
  std::string print() const;

  /// Later calls for the same option replace the value.
  void set(const OptionSpec& option, Value value, std::string source);

 private:
  struct Entry {
    OptionSpec option;
    Value value;
    std::string source;
  };
  const Entry& find(std::string_view name) const;
  template <typename T>
  const T& get(std::string_view name) const;

  std::vector<Entry> entries_;
};

}  // namespace switchyard::config
