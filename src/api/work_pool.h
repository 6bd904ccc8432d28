#pragma once

#include <functional>
#include <memory>

#include "api/asio_fwd.h"

namespace switchyard::api {

/// A thread for what would keep an HTTP worker from its other connections for long. One: requests
/// with long bodies wait for each other, and take no more than a core from the engine.
class WorkPool {
 public:
  WorkPool();
  /// Waits for the work that runs. Precondition: nobody awaits run().
  ~WorkPool();
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  /// Runs `work` on the pool's thread; the caller goes on where it was. `work` must not throw.
  Awaitable<void> run(std::function<void()> work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace switchyard::api
