#include "api/connection.h"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "api/answer_collector.h"
#include "api/random_id.h"
#include "api/sse_writer.h"

namespace switchyard::api {
namespace {

using Phase = ClientSocket::Phase;

// A burst may have grown the buffer of a stream; thousands of streams must not keep that.
constexpr std::size_t kKeptBufferBytes = 16U << 10U;
// A longer body is parsed and tokenized on the pool. Up to here the worst text (spaces) takes 4 ms
// on a Zen 4 core; the longest that a context of 2,048 tokens can take, 166 KB, takes 186 ms.
constexpr std::size_t kLongBodyBytes = 4096;

bool all_finished(const Endpoints::Generations& generations) {
  return std::all_of(generations.begin(), generations.end(),
                     [](const auto& generation) { return generation->finished(); });
}

// Hands each new delta to `take`, its choice counted through the whole answer.
template <typename Take>
void take_deltas(const Endpoints::Generations& generations, int choices_per_request, Take take) {
  std::int32_t first_choice = 0;
  for (const auto& generation : generations) {
    for (service::Delta& delta : generation->take()) {
      delta.choice += first_choice;
      take(std::move(delta));
    }
    first_choice += choices_per_request;
  }
}

service::Usage total_usage(const Endpoints::Generations& generations) {
  service::Usage total;
  for (const auto& generation : generations) {
    const service::Usage usage = generation->usage();
    total.prompt_tokens += usage.prompt_tokens;
    total.completion_tokens += usage.completion_tokens;
    total.cached_tokens += usage.cached_tokens;
  }
  return total;
}

}  // namespace

Connection::Connection(TcpSocket socket, ServerContext& context, WakeMailbox& mailbox)
    : socket_(std::make_shared<ClientSocket>(std::move(socket), context.options.write_timeout)),
      context_(context),
      mailbox_(mailbox) {
  ++context_.connections;
}

Connection::~Connection() { --context_.connections; }

Awaitable<void> Connection::run() {
  // Awaited values are named, here and in the files beside: GCC 12 destroys temporaries of a
  // co_await in a condition or an argument list too early.
  bool again = true;
  while (again) {
    std::optional<HttpRequest> request = co_await read_request(*socket_, context_);
    if (!request) break;
    again = co_await answer(*request);
  }
  co_await socket_->close_gracefully();
}

// True if the connection can serve another request.
Awaitable<bool> Connection::answer(HttpRequest& request) {
  const Activity::Scope scope(context_.activity);
  socket_->enter(Phase::kAnswering);
  const std::string request_id = request_id_or_new(request.request_id);
  const Framing framing{.keep_alive = request.keep_alive && !context_.activity.draining(),
                        .http_1_0 = request.http_1_0,
                        .head_only = request.head_only,
                        .request_id = request_id};
  if (request.early_answer) co_return co_await send(*request.early_answer, framing);

  const std::string_view path = path_of(request.target);
  const Route route = find_route(path);
  if (route != Route::kChatCompletions && route != Route::kCompletions) {
    HttpResponse response;
    const std::function<void()> work = [&] {
      response = context_.endpoints.answer(route, path, request.body);
    };
    co_await process(request.body.size(), work);
    co_return co_await send(response, framing);
  }
  const Endpoint endpoint =
      route == Route::kChatCompletions ? Endpoint::kChat : Endpoint::kCompletion;
  std::optional<Result<GenerationCall>> call;
  const std::function<void()> work = [&] {
    call = context_.endpoints.prepare(endpoint, request.body, request_id);
  };
  co_await process(request.body.size(), work);
  request = {};  // a stream may run for minutes: keep nothing of the request
  if (*call) co_return co_await generate(**call, framing);
  const HttpResponse response = error_response(call->error());
  co_return co_await send(response, framing);
}

// Runs `work` where a body of that size may take its time. It must leave the socket alone.
Awaitable<void> Connection::process(std::size_t body_bytes, std::function<void()> work) {
  if (body_bytes > kLongBodyBytes) {
    co_await context_.long_bodies.run(std::move(work));
  } else {
    work();
  }
}

Awaitable<bool> Connection::send(const HttpResponse& response, Framing framing) {
  context_.endpoints.count_response(response.status);
  const std::string bytes = serialize(response, framing);
  const bool sent = co_await socket_->write(bytes);
  if (!sent) co_return false;
  co_return framing.keep_alive;
}

Awaitable<bool> Connection::generate(GenerationCall& call, Framing framing) {
  const std::function<void()> wake = [&mailbox = mailbox_, target = socket_->wake_target()] {
    mailbox.notify(target);
  };
  // Leaving early destroys the generations, which cancels them.
  const auto generations = context_.endpoints.submit(call, wake);
  if (!generations) {
    const HttpResponse response = error_response(generations.error());
    co_return co_await send(response, framing);
  }
  if (call.stream) co_return co_await answer_stream(call, *generations, framing);
  co_return co_await answer_whole(call, *generations, framing);
}

Awaitable<bool> Connection::answer_whole(const GenerationCall& call,
                                         const Endpoints::Generations& generations,
                                         Framing framing) {
  AnswerCollector answer(call.choices);
  while (true) {
    take_deltas(generations, call.choices_per_request,
                [&](service::Delta delta) { answer.add(std::move(delta)); });
    if (answer.error() || all_finished(generations)) break;
    if (socket_->broken()) co_return false;
    socket_->start_read();
    co_await socket_->wait();
  }
  HttpResponse response;
  if (answer.error()) {
    response = error_response(*answer.error());
  } else {
    response.body = answer.body(call.shape, total_usage(generations));
  }
  co_return co_await send(response, framing);
}

Awaitable<bool> Connection::answer_stream(const GenerationCall& call,
                                          const Endpoints::Generations& generations,
                                          Framing framing) {
  context_.endpoints.count_response(200);
  // Without chunks only the close ends the body.
  if (framing.http_1_0) framing.keep_alive = false;
  SseWriter writer(call.shape, call.choices);
  std::string out(kSseHello);
  if (!framing.http_1_0) frame_as_chunk(out);
  out.insert(0, stream_header(framing));
  socket_->enter(Phase::kStreaming);
  bool sent = co_await socket_->write(out);
  socket_->start_read();

  for (bool done = false; sent && !done;) {
    out.clear();
    if (out.capacity() > kKeptBufferBytes) out.shrink_to_fit();
    take_deltas(generations, call.choices_per_request, [&](const service::Delta& delta) {
      if (done) return;
      if (const auto error = error_of(delta)) {
        SseWriter::append_error(*error, out);
        done = true;
      } else {
        writer.append_delta(delta, out);
      }
    });
    if (!done && all_finished(generations)) {
      writer.append_end(total_usage(generations), out);
      done = true;
    }
    if (!out.empty()) {
      if (!framing.http_1_0) frame_as_chunk(out);
      if (done && !framing.http_1_0) out += kLastChunk;
      sent = co_await socket_->write(out);
    } else if (socket_->broken()) {
      sent = false;
    } else {
      socket_->start_read();
      co_await socket_->wait();
    }
  }
  if (!sent) co_return false;
  co_return framing.keep_alive;
}

}  // namespace switchyard::api
