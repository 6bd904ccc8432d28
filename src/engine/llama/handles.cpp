#include "engine/llama/handles.h"

#include <chat.h>
#include <llama.h>

namespace switchyard::engine {

void LlamaDeleter::operator()(llama_model* model) const { llama_model_free(model); }
void LlamaDeleter::operator()(llama_context* context) const { llama_free(context); }
void LlamaDeleter::operator()(ggml_threadpool* pool) const { ggml_threadpool_free(pool); }
void LlamaDeleter::operator()(common_chat_templates* templates) const {
  common_chat_templates_free(templates);
}

}  // namespace switchyard::engine
