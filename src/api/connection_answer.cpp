// How a connection answers a request.

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>
#include <utility>

#include "api/answer_collector.h"
#include "api/connection.h"
#include "api/random_id.h"
#include "api/sse_writer.h"

namespace switchyard::api {
namespace {

namespace http = boost::beast::http;

// A burst may have grown the buffer of a stream; thousands of streams must not keep that.
constexpr std::size_t kKeptBufferBytes = 16U << 10U;

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

Connection::awaitable<void> Connection::run() {
  // Awaited values are named here and below: GCC 12 destroys temporaries of a co_await in a
  // condition or an argument list too early.
  bool again = true;
  while (again) {
    again = co_await read_request();
    if (again) again = co_await answer();
  }
  co_await close_gracefully();
}

// True if the connection can serve another request.
Connection::awaitable<bool> Connection::answer() {
  const Activity::Scope scope(context_.activity);
  enter(Phase::kAnswering);
  auto& request = parser_->get();
  const std::string request_id = request_id_or_new(request["x-request-id"]);
  const Framing framing{.keep_alive = request.keep_alive() && !context_.activity.draining(),
                        .http_1_0 = request.version() < 11,
                        .head_only = request.method() == http::verb::head,
                        .request_id = request_id};
  if (early_answer_) co_return co_await send(*early_answer_, framing);

  const std::string_view path = path_of(request.target());
  const Route route = find_route(path);
  if (route == Route::kChatCompletions) {
    co_return co_await generate(Endpoint::kChat, framing);
  }
  if (route == Route::kCompletions) {
    co_return co_await generate(Endpoint::kCompletion, framing);
  }
  const HttpResponse response = context_.endpoints.answer(route, path, request.body());
  co_return co_await send(response, framing);
}

Connection::awaitable<bool> Connection::send(const HttpResponse& response, Framing framing) {
  context_.endpoints.count_response(response.status);
  const std::string bytes = serialize(response, framing);
  const bool sent = co_await write(bytes);
  if (!sent) co_return false;
  co_return framing.keep_alive;
}

Connection::awaitable<bool> Connection::generate(Endpoint endpoint, Framing framing) {
  auto call = context_.endpoints.prepare(endpoint, parser_->get().body(), framing.request_id);
  if (!call) {
    const HttpResponse response = error_response(call.error());
    co_return co_await send(response, framing);
  }
  parser_.reset();  // a stream may run for minutes: keep nothing of the request
  const std::function<void()> wake = [&mailbox = mailbox_, target = wake_target_] {
    mailbox.notify(target);
  };
  const auto generations = context_.endpoints.submit(*call, wake);
  if (!generations) {
    const HttpResponse response = error_response(generations.error());
    co_return co_await send(response, framing);
  }
  // Leaving early destroys the generations, which cancels them.
  if (call->stream()) co_return co_await answer_stream(*call, *generations, framing);
  co_return co_await answer_whole(*call, *generations, framing);
}

Connection::awaitable<bool> Connection::answer_whole(const GenerationCall& call,
                                                     const Endpoints::Generations& generations,
                                                     Framing framing) {
  AnswerCollector answer(call.choices());
  if (end_of_input_) watch_reset();
  while (true) {
    take_deltas(generations, call.choices_per_request(),
                [&](service::Delta delta) { answer.add(std::move(delta)); });
    if (answer.error() || all_finished(generations)) break;
    if (broken_) co_return false;
    start_read();
    co_await wait();
  }
  HttpResponse response;
  if (answer.error()) {
    response = error_response(*answer.error());
  } else {
    response.body = answer.body(call.shape, total_usage(generations));
  }
  co_return co_await send(response, framing);
}

Connection::awaitable<bool> Connection::answer_stream(const GenerationCall& call,
                                                      const Endpoints::Generations& generations,
                                                      Framing framing) {
  context_.endpoints.count_response(200);
  SseWriter writer(call.shape, call.choices());
  std::string out(kSseHello);
  if (!framing.http_1_0) frame_as_chunk(out);
  out.insert(0, stream_header(framing));
  if (end_of_input_) co_return false;
  streaming_ = true;
  bool sent = co_await write(out);
  start_read();

  for (bool done = false; sent && !done;) {
    out.clear();
    if (out.capacity() > kKeptBufferBytes) out.shrink_to_fit();
    take_deltas(generations, call.choices_per_request(), [&](const service::Delta& delta) {
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
      sent = co_await write(out);
    } else if (broken_) {
      sent = false;
    } else {
      start_read();
      co_await wait();
    }
  }
  streaming_ = false;
  // Without chunks only the close ends the body.
  if (!sent || framing.http_1_0) co_return false;
  co_return framing.keep_alive;
}

}  // namespace switchyard::api
