#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace switchyard::api {

/// Not for secrets. Any thread.
std::uint32_t random_seed();
/// 24 random hexadecimal digits. Any thread.
std::string random_id();

/// The client's request id if it is 1 … 128 of [A-Za-z0-9._-], else a new one: an id goes into
/// headers and answers.
std::string request_id_or_new(std::string_view from_client);

}  // namespace switchyard::api
