#pragma once

#include <optional>
#include <string>

#include "api/asio_fwd.h"
#include "api/byte_budget.h"
#include "api/client_socket.h"
#include "api/http_response.h"
#include "api/server_context.h"

namespace switchyard::api {

/// A request as HTTP has it.
struct HttpRequest {
  std::string target;
  std::string request_id;  ///< the client's x-request-id, any bytes
  std::string body;
  ByteBudget::Share body_share;  ///< of the server's budget, for as long as the body is held
  bool head_only = false;        ///< the method is HEAD
  bool keep_alive = false;
  bool http_1_0 = false;
  std::optional<HttpResponse> early_answer;  ///< made from the header alone
};

/// Reads the next request. nullopt when the connection must end; what there was to say (400, 408,
/// 413, 429, 431, or an early answer to a request whose body is not worth reading) has been said.
Awaitable<std::optional<HttpRequest>> read_request(ClientSocket& socket, ServerContext& context);

}  // namespace switchyard::api
