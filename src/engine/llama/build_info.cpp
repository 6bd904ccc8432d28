#include "engine/llama/build_info.h"

#include <build-info.h>
#include <ggml-backend.h>
#include <llama.h>

#include "engine/llama/log_capture.h"

namespace switchyard::engine {

BuildInfo build_info() {
  capture_llama_log();  // looking for devices logs what it finds
  BuildInfo info{.commit = llama_commit(), .kernels = llama_print_system_info(), .devices = ""};
  for (std::size_t i = 0; i < ggml_backend_dev_count(); ++i) {
    ggml_backend_dev_t device = ggml_backend_dev_get(i);
    if (ggml_backend_dev_type(device) == GGML_BACKEND_DEVICE_TYPE_CPU) continue;
    if (!info.devices.empty()) info.devices += ", ";
    info.devices += ggml_backend_dev_description(device);
  }
  return info;
}

}  // namespace switchyard::engine
