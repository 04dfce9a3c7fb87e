#include "linalg/dropout.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "linalg/simd.h"

namespace tied {
namespace {

using simd::Batch;
using simd::kLanes;
using simd::Words;
using Halves = xsimd::batch<std::int16_t, simd::Architecture>;

constexpr std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

// A block of 128 random bits decides eight elements, 16 bits each; one block per lane.
constexpr std::size_t kChoicesPerBlock = 8;
constexpr std::size_t kBlocks = 4;
constexpr std::size_t kChoices = kBlocks * kChoicesPerBlock;
constexpr double kSteps = 65536;
// Keeps these blocks apart from those that Random draws with the same key.
constexpr std::uint32_t kDomain = 0x64726F70;

constexpr std::uint32_t kMultipliers[2][4] = {
    {kPhiloxMultipliers[0], kPhiloxMultipliers[0], kPhiloxMultipliers[0], kPhiloxMultipliers[0]},
    {kPhiloxMultipliers[1], kPhiloxMultipliers[1], kPhiloxMultipliers[1], kPhiloxMultipliers[1]}};

// Random bits of blocks first to first + 3, the words of each block contiguous.
void random_blocks(Words (&blocks)[kBlocks], std::uint64_t key, std::uint64_t first) {
  std::uint32_t low[kBlocks];
  std::uint32_t high[kBlocks];
  for (std::size_t b = 0; b < kBlocks; ++b) {
    low[b] = low_word(first + b);
    high[b] = high_word(first + b);
  }
  Words words[4] = {Words::load_unaligned(low), Words::load_unaligned(high), Words(kDomain), Words(0)};
  philox_rounds(words, low_word(key), high_word(key),
                [](const Words& a, int which) { return simd::multiply_in_full(a, kMultipliers[which]); });
  for (std::size_t b = 0; b < kBlocks; ++b) blocks[b] = words[b];
  xsimd::transpose(blocks, blocks + kBlocks);
}

// Multiplies kChoices elements by 0 or `factor`. Inlined, so that the bits stay in registers.
template <class T>
[[gnu::always_inline]] inline void choose(T* x, const Words (&blocks)[kBlocks], const Halves& largest_dropped,
                                          const Batch<T>& factor) {
  const Words bits = xsimd::bitwise_cast<std::uint32_t>(factor);
#pragma clang loop unroll(full)
  for (std::size_t b = 0; b < kBlocks; ++b) {
    // Flipped sign bits turn the unsigned comparison into a signed one, a single instruction.
    const Halves choices = xsimd::bitwise_cast<std::int16_t>(blocks[b] ^ Words(0x80008000));
    const Halves kept((choices > largest_dropped).data);
    // Repeating a 16-bit half two or four times makes a mask as wide as an element.
    const auto apply = [&](const Words& mask) {
      simd::store(x, simd::load(x) * xsimd::bitwise_cast<T>(mask & bits));
      x += kLanes<T>;
    };
    const auto apply_pairs = [&](const Halves& pairs) {
      const Words mask = xsimd::bitwise_cast<std::uint32_t>(pairs);
      if constexpr (kLanes<T> == 4) {
        apply(mask);
      } else {
        apply(xsimd::zip_lo(mask, mask));
        apply(xsimd::zip_hi(mask, mask));
      }
    };
    apply_pairs(xsimd::zip_lo(kept, kept));
    apply_pairs(xsimd::zip_hi(kept, kept));
  }
}

}  // namespace

template <class T>
void dropout(T* x, std::size_t size, double rate, std::uint64_t key, std::uint64_t first) {
  TIED_ASSERT(rate >= 0 && rate < 1);
  const double steps = rate * kSteps + 0.5;
  const auto dropped = std::min(static_cast<std::uint32_t>(steps), std::uint32_t{65535});
  if (dropped == 0) return;
  const Batch<T> factor(static_cast<T>(kSteps / (kSteps - dropped)));
  const Halves largest_dropped(static_cast<std::int16_t>(static_cast<int>(dropped) - 1 - 0x8000));
  T edge[kChoices] = {};
  for (std::size_t i = 0; i < size;) {
    const std::uint64_t place = first + i;
    const std::size_t begin = place % kChoicesPerBlock;
    const std::size_t count = std::min(kChoices - begin, size - i);
    Words blocks[kBlocks];
    random_blocks(blocks, key, place / kChoicesPerBlock);
    T* const to = count == kChoices ? x + i : edge;
    if (to == edge) std::copy_n(x + i, count, edge + begin);
    choose(to, blocks, largest_dropped, factor);
    if (to == edge) std::copy_n(edge + begin, count, x + i);
    i += count;
  }
}

template void dropout<float>(float*, std::size_t, double, std::uint64_t, std::uint64_t);
template void dropout<double>(double*, std::size_t, double, std::uint64_t, std::uint64_t);

}  // namespace tied
