#pragma once

#include <numeric>
#include <vector>

#include "core/types.h"

/// For tests: prompts made of runs of tokens.
namespace switchyard::prefix {

using Tokens = std::vector<core::TokenId>;

/// `n` tokens that count up from `first`.
inline Tokens range(core::TokenId first, int n) {
  Tokens out(n);
  std::iota(out.begin(), out.end(), first);
  return out;
}

inline Tokens join(Tokens a, const Tokens& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace switchyard::prefix
