#pragma once

#include <memory>

struct llama_model;
struct llama_context;
struct ggml_threadpool;
struct common_chat_templates;

namespace switchyard::engine {

/// Owners of llama.cpp's objects, for headers that do not include it.
struct LlamaDeleter {
  void operator()(llama_model* model) const;
  void operator()(llama_context* context) const;
  void operator()(ggml_threadpool* pool) const;
  void operator()(common_chat_templates* templates) const;
};

using ModelHandle = std::unique_ptr<llama_model, LlamaDeleter>;
using ContextHandle = std::unique_ptr<llama_context, LlamaDeleter>;
using ThreadPoolHandle = std::unique_ptr<ggml_threadpool, LlamaDeleter>;
using ChatTemplatesHandle = std::unique_ptr<common_chat_templates, LlamaDeleter>;

}  // namespace switchyard::engine
