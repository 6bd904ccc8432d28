#include "service/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "metrics/metrics.h"
#include "service/engine_loop.h"

namespace switchyard::service {
namespace {

/// Reading end; see Generation.
class Reader final : public Generation {
 public:
  Reader(std::shared_ptr<GenerationState> state, std::shared_ptr<Mailbox> mailbox,
         std::vector<core::RequestId> requests)
      : state_(std::move(state)), mailbox_(std::move(mailbox)), requests_(std::move(requests)) {}

  ~Reader() override {
    state_->detach();
    // Refused only once the mailbox is closed, when everything is cancelled anyway.
    if (!state_->ended()) (void)mailbox_->try_push(Cancellation{std::move(requests_)});
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  std::vector<Delta> take() override { return state_->take(); }
  bool finished() const override { return state_->finished(); }
  Usage usage() const override { return state_->usage(); }

 private:
  std::shared_ptr<GenerationState> state_;
  std::shared_ptr<Mailbox> mailbox_;
  std::vector<core::RequestId> requests_;
};

Error context_error(std::int64_t limit, std::size_t prompt_tokens) {
  return {ErrorCode::kContextLengthExceeded,
          fmt::format("the model's context holds {} tokens, prompt and answer together; the prompt "
                      "has {} tokens and leaves no room for an answer",
                      limit, prompt_tokens),
          "prompt"};
}

}  // namespace

struct Service::Impl {
  Impl(ServiceOptions service_options, metrics::Metrics& process_metrics)
      : options(std::move(service_options)), metrics(process_metrics) {}

  void name_models();
  void build_mailbox();
  /// Sequences of a lane that may run and wait together.
  std::int64_t live_limit(const core::LaneInfo& lane) const {
    return std::int64_t{lane.n_streams} + options.queue_limit;
  }

  const ServiceOptions options;
  metrics::Metrics& metrics;
  std::atomic<State> state{State::kLoading};
  std::unique_ptr<engine::Engine> engine;
  std::vector<Model> models;
  std::vector<LoadCounter> load;  ///< by lane
  std::atomic<core::RequestId> next_id{1};
  // Shared with readers, which may outlive the service by a moment.
  std::shared_ptr<Mailbox> mailbox;
  std::thread thread;
};

void Service::Impl::name_models() {
  models.push_back({options.alias, 0});
  const auto lanes = engine->lanes();
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    models.push_back({options.alias + ":" + lanes[i].mode, static_cast<core::LaneId>(i)});
  }
}

// Only the engine thread counts sequences out, so between two drains no more than the live limit of
// each lane is submitted, and what lives, now or then, is cancelled at most once: a cancellation
// always finds room.
void Service::Impl::build_mailbox() {
  std::int64_t messages = 1;
  for (const core::LaneInfo& lane : engine->lanes()) messages += 3 * live_limit(lane);
  mailbox = std::make_shared<Mailbox>(static_cast<std::size_t>(messages));
}

Service::Service(ServiceOptions options, metrics::Metrics& metrics)
    : impl_(std::make_unique<Impl>(std::move(options), metrics)) {}

Service::~Service() { stop(); }

void Service::start(std::unique_ptr<engine::Engine> engine) {
  impl_->engine = std::move(engine);
  impl_->name_models();
  impl_->build_mailbox();
  impl_->load = std::vector<LoadCounter>(impl_->engine->lanes().size());
  const auto lanes = impl_->engine->lanes();
  impl_->metrics.set_lanes(impl_->options.alias, {lanes.begin(), lanes.end()});
  impl_->thread = std::thread([this] {
    const EngineLoop::Options options{impl_->options.queue_timeout_seconds,
                                      impl_->options.scheduler};
    EngineLoop(options, *impl_->engine, impl_->metrics, *impl_->mailbox, impl_->load).run();
  });
  State loading = State::kLoading;
  impl_->state.compare_exchange_strong(loading, State::kReady);
}

Service::State Service::state() const { return impl_->state.load(); }
const engine::Tokenizer& Service::tokenizer() const { return impl_->engine->tokenizer(); }
const std::vector<Model>& Service::models() const { return impl_->models; }
const core::LaneInfo& Service::lane(core::LaneId lane) const {
  return impl_->engine->lanes()[static_cast<std::size_t>(lane)];
}

Result<core::LaneId> Service::find_model(std::string_view id) const {
  for (const Model& model : impl_->models) {
    if (model.id == id) return model.lane;
  }
  std::string choices;
  for (const Model& model : impl_->models) {
    if (!choices.empty()) choices += ", ";
    choices += model.id;
  }
  return Error{ErrorCode::kModelNotFound, "no such model; this server has: " + choices, "model"};
}

Result<std::unique_ptr<Generation>> Service::submit(GenerationRequest request,
                                                    std::function<void()> wake) {
  switch (state()) {
    case State::kLoading:
      return Error{ErrorCode::kLoading, "the model is still loading", {}};
    case State::kStopping:
      return Error{ErrorCode::kShuttingDown, "the server is shutting down", {}};
    case State::kReady:
      break;
  }
  const core::LaneInfo& lane_info = lane(request.lane);
  const std::int64_t room =
      std::min<std::int64_t>(lane_info.stream_capacity_tokens, lane_info.pool_capacity_tokens);
  const auto prompt_tokens = static_cast<std::int64_t>(request.prompt.size());
  if (prompt_tokens >= room) return context_error(room, request.prompt.size());
  LoadCounter& load = impl_->load[static_cast<std::size_t>(request.lane)];
  if (!load.try_reserve(request.n, impl_->live_limit(lane_info))) {
    return Error{
        ErrorCode::kQueueFull,
        fmt::format("the queue is full ({} sequences may wait)", impl_->options.queue_limit),
        {}};
  }

  Submission submission;
  submission.state =
      std::make_shared<GenerationState>(request.n, prompt_tokens, request.stream, std::move(wake));
  submission.stop = std::move(request.stop);
  std::vector<core::RequestId> ids;
  const core::TimePoint arrival = core::Clock::now();
  for (std::int32_t choice = 0; choice < request.n; ++choice) {
    auto sequence = std::make_shared<core::Request>();
    sequence->id = impl_->next_id.fetch_add(1);
    sequence->lane = request.lane;
    sequence->prompt = request.prompt;
    sequence->max_tokens =
        static_cast<std::int32_t>(std::min<std::int64_t>(request.max_tokens, room - prompt_tokens));
    sequence->sampling = request.sampling;
    sequence->sampling.seed += static_cast<std::uint32_t>(choice);
    sequence->cache_salt = request.cache_salt;
    sequence->arrival = arrival;
    ids.push_back(sequence->id);
    submission.choices.push_back(std::move(sequence));
  }
  auto reader = std::make_unique<Reader>(submission.state, impl_->mailbox, std::move(ids));
  if (!impl_->mailbox->try_push(std::move(submission))) {
    load.ended(request.n);
    return Error{ErrorCode::kShuttingDown, "the server is shutting down", {}};
  }
  return std::unique_ptr<Generation>(std::move(reader));
}

void Service::begin_shutdown() { impl_->state.store(State::kStopping); }

void Service::stop() {
  begin_shutdown();
  if (!impl_->thread.joinable()) return;
  impl_->mailbox->close();
  impl_->engine->abort();
  impl_->thread.join();
}

}  // namespace switchyard::service
