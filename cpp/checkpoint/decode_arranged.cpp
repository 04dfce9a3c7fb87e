#include "checkpoint/decode_arranged.h"

#include <cstring>

#include "checkpoint/quants.h"

namespace tied {
namespace {

using simd::Bytes;
using simd::Floats;
using simd::Halves;

constexpr std::size_t kArranged = 16;

// Where numbers of kBits bits are: the two bytes with number i, and the factor that moves it to the upper end of them.
template <int kBits>
struct BitPlaces {
  alignas(16) std::uint8_t bytes[2][16] = {};
  alignas(16) std::uint16_t factors[2][8] = {};

  constexpr BitPlaces() {
    for (int i = 0; i < 16; ++i) {
      const int first = i * kBits;
      bytes[i / 8][2 * (i % 8)] = static_cast<std::uint8_t>(first / 8);
      bytes[i / 8][2 * (i % 8) + 1] = static_cast<std::uint8_t>(first / 8 + 1);
      factors[i / 8][i % 8] = static_cast<std::uint16_t>(1U << (16 - kBits - first % 8));
    }
  }
};
template <int kBits>
constexpr BitPlaces<kBits> kPlaces{};

template <int kBits>
constexpr std::size_t kAffineBytes = 8 + 2 * kBits;

// Eight of the 16 numbers of a block.
template <int kBits>
class AffineHalf {
 public:
  TIED_INLINE explicit AffineHalf(int half)
      : bytes_(simd::constant(kPlaces<kBits>.bytes[half])),
        factors_(Halves::load_unaligned(simd::hidden(kPlaces<kBits>.factors[half]))) {}

  TIED_INLINE void store(float* out, const simd::Integral<>& integral, const Bytes& stored, const Floats& scale,
                         const Floats& bias) const {
    const Halves both = xsimd::bitwise_cast<std::uint16_t>(simd::entries_at(stored, bytes_));
    const Halves numbers = both * factors_ >> (16 - kBits);
    simd::store(out, scale * integral.low(numbers) + bias);
    simd::store(out + 4, scale * integral.high(numbers) + bias);
  }

 private:
  Bytes bytes_;
  Halves factors_;
};

// Of each block, 16 bytes from the numbers on are read. Not inlined, since it is called twice.
template <int kBits>
[[gnu::noinline]] void decode_affine_blocks(float* out, const std::uint8_t* block, std::size_t blocks) {
  const AffineHalf<kBits> left(0);
  const AffineHalf<kBits> right(1);
  const simd::Integral<> integral;
  for (; blocks > 0; --blocks, out += kArranged, block += kAffineBytes<kBits>) {
    const Floats scale = repeated<float>(block);
    const Floats bias = repeated<float>(block + 4);
    const Bytes stored = load_quants(block + 8);
    left.store(out, integral, stored, scale, bias);
    right.store(out + 8, integral, stored, scale, bias);
  }
}

}  // namespace

template <int kBits>
void decode_affine(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  if (blocks == 0) return;
  // What is loaded beyond the numbers of a block belongs to the next one; the last block is copied.
  decode_affine_blocks<kBits>(out, bytes, blocks - 1);
  std::uint8_t last[24] = {};
  std::memcpy(last, bytes + (blocks - 1) * kAffineBytes<kBits>, kAffineBytes<kBits>);
  decode_affine_blocks<kBits>(out + (blocks - 1) * kArranged, last, 1);
}
template void decode_affine<2>(float* out, const std::uint8_t* bytes, std::size_t blocks);
template void decode_affine<3>(float* out, const std::uint8_t* bytes, std::size_t blocks);
template void decode_affine<4>(float* out, const std::uint8_t* bytes, std::size_t blocks);
template void decode_affine<5>(float* out, const std::uint8_t* bytes, std::size_t blocks);
template void decode_affine<6>(float* out, const std::uint8_t* bytes, std::size_t blocks);
template void decode_affine<8>(float* out, const std::uint8_t* bytes, std::size_t blocks);

void decode_scaled_e2m1(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Bytes table = simd::constant(kTwiceE2m1);
  const Nibbles nibbles;
  const simd::Integral<kZeroOfE2m1> less_zero;
  const Floats half = simd::constant<0.5F>();
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + 12 * i;
    const Bytes stored = repeated_bytes<std::uint64_t>(block + 4);
    const Bytes places = xsimd::zip_lo(nibbles.low(stored), nibbles.high(stored));
    store_scaled(out + i * kArranged, less_zero, simd::entries_at(table, places), half * repeated<float>(block));
  }
}

}  // namespace tied
