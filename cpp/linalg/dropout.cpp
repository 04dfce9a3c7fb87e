#include "linalg/dropout.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/random.h"

namespace tied {
namespace {

constexpr std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

constexpr std::size_t kChoicesPerBlock = 8;
constexpr double kSteps = 65536;
// Apart from the blocks that Random draws under the same key.
constexpr std::uint32_t kDomain = 0x64726F70;

}  // namespace

template <class T>
void dropout(T* x, std::size_t size, double share, std::uint64_t key, std::uint64_t first) {
  TIED_ASSERT(share >= 0 && share < 1);
  const double steps = share * kSteps + 0.5;
  const auto dropped = std::min(static_cast<std::uint32_t>(steps), std::uint32_t{65535});
  if (dropped == 0) return;
  const T factors[2] = {T{0}, static_cast<T>(kSteps / (kSteps - dropped))};
  std::size_t i = 0;
  while (i < size) {
    const std::uint64_t place = first + i;
    const std::uint64_t block = place / kChoicesPerBlock;
    const std::array<std::uint32_t, 4> words =
        philox({low_word(block), high_word(block), kDomain, 0}, {low_word(key), high_word(key)});
    const std::size_t begin = place % kChoicesPerBlock;
    const std::size_t end = std::min(kChoicesPerBlock, begin + (size - i));
    for (std::size_t choice = begin; choice < end; ++choice, ++i) {
      const std::uint32_t bits = words[choice / 2] >> (choice % 2 * 16) & 0xFFFF;
      x[i] *= factors[bits >= dropped];
    }
  }
}

template void dropout<float>(float*, std::size_t, double, std::uint64_t, std::uint64_t);
template void dropout<double>(double*, std::size_t, double, std::uint64_t, std::uint64_t);

}  // namespace tied
