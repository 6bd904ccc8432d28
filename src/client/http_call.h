#pragma once

#include <string>

#include "base/result.h"
#include "client/url.h"

namespace switchyard::client {

struct HttpAnswer {
  int status = 0;
  std::string body;  ///< at most 1 MiB
};

struct HttpCall {
  Url url;
  std::string path;  ///< behind the URL's base path, e.g. "/v1/models"
  std::string body;  ///< empty: GET, else POST of JSON
  std::string api_key;
  double timeout_seconds = 10;
};

/// One blocking request. kIo if there is no answer.
Result<HttpAnswer> call(const HttpCall& call);

}  // namespace switchyard::client
