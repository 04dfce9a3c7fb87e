#include "checkpoint/decode_arranged.h"

#include <cstring>

#include "checkpoint/quants.h"

namespace tied {
namespace {

using simd::Batch;
using simd::Bytes;
using Windows = Batch<std::uint16_t>;

constexpr std::size_t kArranged = 16;

inline float float_at(const std::uint8_t* bytes) {
  float value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

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

// 4 numbers below 256 as floats.
TIED_INLINE inline Batch<float> floats_of_words(const Windows& words) {
  return xsimd::to_float(xsimd::bitwise_cast<std::int32_t>(words));
}

template <int kBits>
TIED_INLINE inline void affine_block(float* out, const std::uint8_t* block, const Bytes& stored) {
  const Batch<float> scale(float_at(block));
  const Batch<float> bias(float_at(block + 4));
  for (int half = 0; half < 2; ++half) {
    const Bytes both = simd::entries_at(stored, Bytes::load_aligned(kPlaces<kBits>.bytes[half]));
    const Windows moved =
        xsimd::bitwise_cast<std::uint16_t>(both) * Windows::load_aligned(kPlaces<kBits>.factors[half]);
    const Windows numbers = moved >> (16 - kBits);
    const Windows none(std::uint16_t{0});
    simd::store(out + 8 * half, scale * floats_of_words(xsimd::zip_lo(numbers, none)) + bias);
    simd::store(out + 8 * half + 4, scale * floats_of_words(xsimd::zip_hi(numbers, none)) + bias);
  }
}

}  // namespace

template <int kBits>
void decode_affine(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  constexpr std::size_t kBytes = 8 + 2 * kBits;
  // What is loaded beyond the numbers of a block belongs to the next one; the last block is copied.
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * kBytes;
    if (i + 1 < blocks) {
      affine_block<kBits>(out + i * kArranged, block, load_quants(block + 8));
    } else {
      std::uint8_t last[16] = {};
      std::memcpy(last, block + 8, std::size_t{2} * kBits);
      affine_block<kBits>(out + i * kArranged, block, load_quants(last));
    }
  }
}
template void decode_affine<2>(float* out, const std::uint8_t* bytes, std::size_t blocks);
template void decode_affine<3>(float* out, const std::uint8_t* bytes, std::size_t blocks);
template void decode_affine<4>(float* out, const std::uint8_t* bytes, std::size_t blocks);
template void decode_affine<5>(float* out, const std::uint8_t* bytes, std::size_t blocks);
template void decode_affine<6>(float* out, const std::uint8_t* bytes, std::size_t blocks);
template void decode_affine<8>(float* out, const std::uint8_t* bytes, std::size_t blocks);

void decode_scaled_e2m1(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Bytes table = Bytes::load_aligned(reinterpret_cast<const std::uint8_t*>(kTwiceE2m1));
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + 12 * i;
    std::uint64_t eight = 0;
    std::memcpy(&eight, block + 4, sizeof eight);
    const Bytes stored = xsimd::bitwise_cast<std::uint8_t>(Batch<std::uint64_t>(eight));
    const Bytes places = xsimd::zip_lo(low_nibbles(stored), high_nibbles(stored));
    store_scaled(out + i * kArranged, simd::entries_at(table, places), 0.5F * float_at(block));
  }
}

}  // namespace tied
