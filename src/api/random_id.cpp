#include "api/random_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace switchyard::api {
namespace {

constexpr std::size_t kMaxIdBytes = 128;

std::mt19937_64& generator() {
  thread_local std::mt19937_64 instance = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  return instance;
}

bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

}  // namespace

std::uint32_t random_seed() { return static_cast<std::uint32_t>(generator()()); }

std::string random_id() {
  return fmt::format("{:016x}{:08x}", generator()(), static_cast<std::uint32_t>(generator()()));
}

std::string request_id_or_new(std::string_view from_client) {
  const bool usable = !from_client.empty() && from_client.size() <= kMaxIdBytes &&
                      std::all_of(from_client.begin(), from_client.end(), is_id_character);
  return usable ? std::string(from_client) : random_id();
}

}  // namespace switchyard::api
