#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "api/asio_fwd.h"
#include "api/client_socket.h"
#include "api/endpoints.h"
#include "api/request_reader.h"
#include "api/server_context.h"
#include "api/wake_mailbox.h"

namespace switchyard::api {

/// One client connection: reads requests, answers them in order. Lives on one worker thread; every
/// method is called there.
class Connection {
 public:
  Connection(TcpSocket socket, ServerContext& context, WakeMailbox& mailbox);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Serves until the connection ends.
  Awaitable<void> run();

  ClientSocket& socket() { return *socket_; }

 private:
  Awaitable<bool> answer(HttpRequest& request);
  Awaitable<void> process(std::size_t body_bytes, std::function<void()> work);
  Awaitable<bool> send(const HttpResponse& response, Framing framing);
  Awaitable<bool> generate(GenerationCall& call, Framing framing);
  Awaitable<bool> answer_whole(const GenerationCall& call,
                               const Endpoints::Generations& generations, Framing framing);
  Awaitable<bool> answer_stream(const GenerationCall& call,
                                const Endpoints::Generations& generations, Framing framing);

  std::shared_ptr<ClientSocket> socket_;
  ServerContext& context_;
  WakeMailbox& mailbox_;
};

}  // namespace switchyard::api
