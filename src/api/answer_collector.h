#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/response_shape.h"
#include "base/error.h"
#include "service/service.h"

namespace switchyard::api {

/// The error that a delta with `kError` or `kCancelled` stands for; nullopt for the others.
std::optional<Error> error_of(const service::Delta& delta);

/// Joins the deltas of a request that is not streamed.
class AnswerCollector {
 public:
  explicit AnswerCollector(int choices) : choices_(static_cast<std::size_t>(choices)) {}

  void add(service::Delta delta);

  /// The first error of any choice: the whole answer is that error.
  const std::optional<Error>& error() const { return error_; }

  /// The response body. Precondition: every choice has ended without error.
  std::string body(const ResponseShape& shape, const service::Usage& usage) const;

 private:
  std::vector<service::Delta> choices_;
  std::optional<Error> error_;
};

}  // namespace switchyard::api
