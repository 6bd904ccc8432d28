#include "config/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "config/value.h"

namespace switchyard::config {
namespace {

[[noreturn]] void fail(std::string_view name, const char* what) {
  std::fprintf(stderr, "config: option %.*s %s\n", static_cast<int>(name.size()), name.data(),
               what);
  std::abort();
}

}  // namespace

const Settings::Entry& Settings::find(std::string_view name) const {
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [name](const Entry& e) { return e.option.name == name; });
  if (entry == entries_.end()) fail(name, "is not declared");
  return *entry;
}

template <typename T>
const T& Settings::get(std::string_view name) const {
  const T* value = std::get_if<T>(&find(name).value);
  if (value == nullptr) fail(name, "has another type");
  return *value;
}

const std::string& Settings::get_string(std::string_view name) const {
  return get<std::string>(name);
}
std::int64_t Settings::get_int(std::string_view name) const { return get<std::int64_t>(name); }
double Settings::get_double(std::string_view name) const { return get<double>(name); }
bool Settings::get_bool(std::string_view name) const { return get<bool>(name); }
const std::vector<std::string>& Settings::get_list(std::string_view name) const {
  return get<std::vector<std::string>>(name);
}
const std::string& Settings::source(std::string_view name) const { return find(name).source; }

void Settings::set(const OptionSpec& option, Value value, std::string source) {
  for (Entry& entry : entries_) {
    if (entry.option.name != option.name) continue;
    entry.value = std::move(value);
    entry.source = std::move(source);
    return;
  }
  entries_.push_back({option, std::move(value), std::move(source)});
}

std::string Settings::print() const {
  std::string out;
  for (const Entry& entry : entries_) {
    out += fmt::format("{:<40} # {}\n",
                       fmt::format("{} = {}", entry.option.name, to_toml(entry.value)),
                       printable(entry.source));
  }
  return out;
}

}  // namespace switchyard::config
