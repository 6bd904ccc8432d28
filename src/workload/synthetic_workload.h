#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/session.h"
#include "workload/trace.h"

namespace switchyard::workload {

/// `count` common English words, a function of `seed`.
std::string synthetic_words(std::int64_t count, std::uint64_t seed);

/// How many tokens the server makes of a prompt of synthetic words:
/// overhead_tokens + words × tokens_per_word (the overhead is the chat template's).
struct PromptScale {
  double overhead_tokens = 0;
  double tokens_per_word = 1;
};

/// Sessions of one turn whose prompts have given lengths and made-up text: rows of a trace, or
/// drawn lengths. Equal block ids at the start of two rows give equal text there.
class SyntheticWorkload : public Workload {
 public:
  SyntheticWorkload(std::vector<TraceRow> rows, std::int32_t block_tokens, std::uint64_t seed);

  /// Before the first session(): fits the text's length to the server's tokenizer.
  void set_scale(PromptScale scale) { scale_ = scale; }

  std::size_t size() const override { return rows_.size(); }
  Session session(std::size_t index) const override;
  std::int64_t request_count() const override { return static_cast<std::int64_t>(rows_.size()); }

 private:
  std::string prompt_of(std::size_t index) const;

  std::vector<TraceRow> rows_;
  std::int32_t block_tokens_;
  std::uint64_t seed_;
  PromptScale scale_;
};

/// Lengths drawn uniformly from `least` … `most`.
struct LengthRange {
  std::int32_t least = 1;
  std::int32_t most = 1;
};

/// `count` rows with drawn lengths, all at time 0.
std::vector<TraceRow> draw_lengths(std::size_t count, LengthRange input, LengthRange output,
                                   std::uint64_t seed);

}  // namespace switchyard::workload
