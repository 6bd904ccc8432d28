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

Error shutting_down() { return {ErrorCode::kShuttingDown, "the server is shutting down", {}}; }

std::int64_t count_choices(const std::vector<GenerationRequest>& requests) {
  std::int64_t choices = 0;
  for (const GenerationRequest& request : requests) choices += request.n;
  return choices;
}

}  // namespace

struct Service::Impl {
  Impl(ServiceOptions service_options, metrics::Metrics& process_metrics)
      : options(std::move(service_options)), metrics(process_metrics) {}

  void name_models();
  void build_mailbox();
  Submission make_submission(GenerationRequest request, core::TimePoint arrival,
                             const std::function<void()>& wake);
  /// Sequences of a lane that may run and wait together.
  std::int64_t live_limit(const core::LaneInfo& lane) const {
    return std::int64_t{lane.n_streams} + options.queue_limit;
  }

  const ServiceOptions options;
  metrics::Metrics& metrics;
  std::atomic<State> state{State::kLoading};
  std::unique_ptr<engine::Engine> engine;
  std::vector<Model> models;
  std::optional<TextBound> text_bound;
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

Submission Service::Impl::make_submission(GenerationRequest request, core::TimePoint arrival,
                                          const std::function<void()>& wake) {
  Submission out;
  out.state = std::make_shared<GenerationState>(
      request.n, static_cast<std::int64_t>(request.prompt.size()), request.stream, wake);
  out.stop = std::move(request.stop);
  for (std::int32_t choice = 0; choice < request.n; ++choice) {
    auto sequence = std::make_shared<core::Request>();
    sequence->id = next_id.fetch_add(1);
    sequence->lane = request.lane;
    sequence->prompt = request.prompt;
    sequence->max_tokens = request.max_tokens;
    sequence->sampling = request.sampling;
    sequence->sampling.seed += static_cast<std::uint32_t>(choice);
    sequence->cache_salt = request.cache_salt;
    sequence->arrival = arrival;
    out.choices.push_back(std::move(sequence));
  }
  return out;
}

Service::Service(ServiceOptions options, metrics::Metrics& metrics)
    : impl_(std::make_unique<Impl>(std::move(options), metrics)) {}

Service::~Service() { stop(); }

void Service::start(std::unique_ptr<engine::Engine> engine) {
  impl_->engine = std::move(engine);
  impl_->name_models();
  impl_->build_mailbox();
  impl_->text_bound.emplace(impl_->engine->tokenizer());
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

std::optional<Error> Service::not_ready() const {
  switch (state()) {
    case State::kLoading:
      return Error{ErrorCode::kLoading, "the model is still loading", {}};
    case State::kStopping:
      return shutting_down();
    case State::kReady:
      break;
  }
  return std::nullopt;
}

const engine::Tokenizer& Service::tokenizer() const { return impl_->engine->tokenizer(); }
const std::vector<Model>& Service::models() const { return impl_->models; }
const core::LaneInfo& Service::lane(core::LaneId lane) const {
  return impl_->engine->lanes()[static_cast<std::size_t>(lane)];
}
PromptLimit Service::prompt_limit(core::LaneId lane) const {
  return {this->lane(lane), *impl_->text_bound};
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

Result<Service::Generations> Service::submit(std::vector<GenerationRequest> requests,
                                             const std::function<void()>& wake) {
  if (auto error = not_ready()) return std::move(*error);
  const core::LaneId lane_id = requests.front().lane;
  const PromptLimit limit = prompt_limit(lane_id);
  for (GenerationRequest& request : requests) {
    if (auto fits = limit.check_tokens(request.prompt.size()); !fits) return fits.error();
    const auto prompt_tokens = static_cast<std::int64_t>(request.prompt.size());
    request.max_tokens = static_cast<std::int32_t>(
        std::min<std::int64_t>(request.max_tokens, limit.context_tokens() - prompt_tokens));
  }
  LoadCounter& load = impl_->load[static_cast<std::size_t>(lane_id)];
  const std::int64_t choices = count_choices(requests);
  if (!load.try_reserve(choices, impl_->live_limit(lane(lane_id)))) {
    return Error{
        ErrorCode::kQueueFull,
        fmt::format("the queue is full ({} sequences may wait)", impl_->options.queue_limit),
        {}};
  }

  const core::TimePoint arrival = core::Clock::now();
  Generations generations;
  std::vector<Submission> submissions;
  for (GenerationRequest& request : requests) {
    submissions.push_back(impl_->make_submission(std::move(request), arrival, wake));
    std::vector<core::RequestId> ids;
    for (const auto& choice : submissions.back().choices) ids.push_back(choice->id);
    generations.push_back(
        std::make_unique<Reader>(submissions.back().state, impl_->mailbox, std::move(ids)));
  }
  if (!impl_->mailbox->try_push(std::move(submissions))) {
    load.ended(choices);
    return shutting_down();
  }
  return generations;
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
