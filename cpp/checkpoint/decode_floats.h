// Converts floats of other widths to 32-bit floats. Exact except for F64, which is rounded: subnormal numbers,
// infinities and NaN are preserved, as are a NaN's sign and leading bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tied {

// out [count] = the floats that begin at `bytes`, which may be at any address.
void decode_f64(float* out, const std::uint8_t* bytes, std::size_t count);
void decode_f16(float* out, const std::uint8_t* bytes, std::size_t count);
void decode_bf16(float* out, const std::uint8_t* bytes, std::size_t count);
void decode_f8_e4m3(float* out, const std::uint8_t* bytes, std::size_t count);
void decode_f8_e5m2(float* out, const std::uint8_t* bytes, std::size_t count);
void decode_f8_e4m3fnuz(float* out, const std::uint8_t* bytes, std::size_t count);
void decode_f8_e5m2fnuz(float* out, const std::uint8_t* bytes, std::size_t count);

// The 16-bit float at `bytes`. A product with 2^112 corrects the bias of its exponent and makes a subnormal number
// normal; infinities and NaN also need the other bits of the exponent set.
inline float half_at(const std::uint8_t* bytes) {
  const std::uint32_t half = bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
  const float magnitude = std::bit_cast<float>((half & 0x7FFF) << 13) * 0x1p112F;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(magnitude) | (half & 0x8000) << 16;
  if ((half & 0x7C00) == 0x7C00) bits |= 0x7F800000;
  return std::bit_cast<float>(bits);
}

}  // namespace tied
