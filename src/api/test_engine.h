#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/sim/sim_engine.h"
#include "engine/sim/sim_tokenizer.h"

namespace switchyard::api {

/// The simulated engine's tokenizer; a test sees every text before it is tokenized, on the thread
/// that does it.
class WatchedTokenizer final : public engine::Tokenizer {
 public:
  using Watch = std::function<void(std::string_view text)>;
  explicit WatchedTokenizer(Watch watch) : watch_(std::move(watch)) {}

  std::vector<core::TokenId> tokenize(std::string_view text, bool add_special,
                                      bool parse_special) const override {
    watch_(text);
    return sim_.tokenize(text, add_special, parse_special);
  }
  void append_piece(core::TokenId token, bool special, std::string& out) const override {
    sim_.append_piece(token, special, out);
  }
  bool is_end_of_generation(core::TokenId token) const override {
    return sim_.is_end_of_generation(token);
  }
  std::int32_t vocabulary_size() const override { return sim_.vocabulary_size(); }
  Result<std::string> apply_chat_template(
      std::span<const engine::ChatMessage> messages) const override {
    return sim_.apply_chat_template(messages);
  }

 private:
  engine::SimTokenizer sim_;
  Watch watch_;
};

/// The simulated engine with a WatchedTokenizer.
class WatchedEngine final : public engine::Engine {
 public:
  explicit WatchedEngine(WatchedTokenizer::Watch watch, const engine::SimOptions& options = {})
      : tokenizer_(std::move(watch)) {
    auto sim = engine::make_sim_engine(options);
    EXPECT_TRUE(sim);
    sim_ = std::move(*sim);
  }

  const engine::Tokenizer& tokenizer() const override { return tokenizer_; }
  std::span<const core::LaneInfo> lanes() const override { return sim_->lanes(); }
  core::StepResult step(const core::BatchPlan& plan) override { return sim_->step(plan); }
  void abort() noexcept override { sim_->abort(); }

 private:
  WatchedTokenizer tokenizer_;
  std::unique_ptr<engine::Engine> sim_;
};

}  // namespace switchyard::api
