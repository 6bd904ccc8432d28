#include "engine/llama/softmax.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numbers>

namespace switchyard::engine {
namespace {

constexpr std::size_t kLanes = 16;   // independent sums, which the compiler turns into vectors
constexpr std::size_t kBlock = 512;  // summed in single precision before it joins the double

constexpr float kLowest = -87.0F;  // below, the power of two is no normal float
constexpr float kLog2E = std::numbers::log2e_v<float>;
// ln 2 in two parts: the high one has few bits, so that its product with n is exact.
constexpr float kLn2High = 355.0F / 512;
constexpr float kLn2Low = -2.12194440e-4F;
constexpr float kRound = 12582912.0F;  // 1.5 · 2^23: adding it rounds to an integer in the low bits

// The compiler makes one version of a function for each, and the machine's is taken at start-up: a
// row takes 15 us with AVX-512 and 70 us with what every x86-64 has.
#if defined(__x86_64__)
#define SWITCHYARD_FOR_EACH_VECTOR_WIDTH \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SWITCHYARD_FOR_EACH_VECTOR_WIDTH
#endif

// exp(x) = 2^n · exp(r) with |r| ≤ ln 2 / 2, the latter by the polynomial of Cephes' expf. What is
// not above kLowest gives garbage that is masked out: GCC turns a conditional around floating-point
// operations into a branch, and then vectorises nothing.
inline float exp_of_negative(float x) {
  const float rounded = x * kLog2E + kRound;
  const float n = rounded - kRound;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  float y = 1.9875691500e-4F;
  y = y * r + 1.3981999507e-3F;
  y = y * r + 8.3334519073e-3F;
  y = y * r + 4.1665795894e-2F;
  y = y * r + 1.6666665459e-1F;
  y = y * r + 5.0000001201e-1F;
  y = (y * r) * r + r + 1.0F;
  const auto exponent =
      std::bit_cast<std::uint32_t>(rounded) - std::bit_cast<std::uint32_t>(kRound);
  const float power = std::bit_cast<float>((exponent + 127U) << 23U);
  const std::uint32_t counts = 0U - static_cast<std::uint32_t>(x > kLowest);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(y * power) & counts);
}

}  // namespace

SWITCHYARD_FOR_EACH_VECTOR_WIDTH
void exp_weights(std::span<const float> logits, float largest, float scale, std::span<float> out) {
  const float* from = logits.data();
  float* to = out.data();
  for (std::size_t i = 0; i < logits.size(); ++i) {
    to[i] = exp_of_negative((from[i] - largest) * scale);
  }
}

SWITCHYARD_FOR_EACH_VECTOR_WIDTH
double exp_sum(std::span<const float> logits, float largest, float scale) {
  double sum = 0;
  for (std::size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const auto block = logits.subspan(begin, std::min(kBlock, logits.size() - begin));
    std::array<float, kLanes> sums{};
    std::size_t i = 0;
    for (; i + kLanes <= block.size(); i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sums[lane] += exp_of_negative((block[i + lane] - largest) * scale);
      }
    }
    for (; i < block.size(); ++i) sums[0] += exp_of_negative((block[i] - largest) * scale);
    for (const float lane : sums) sum += lane;
  }
  return sum;
}

}  // namespace switchyard::engine
