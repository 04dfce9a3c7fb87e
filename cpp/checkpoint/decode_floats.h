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

// The same for a 16-bit float that is zero, subnormal or not finite.
float rare_half(std::uint32_t half);

// The 16-bit float at `bytes`. Adding 1 to the exponent of a rare one leaves at most the lowest of its five bits. Of
// others, the sign and its copies move to the upper four bits, of which one remains.
inline float half_at(const std::uint8_t* bytes) {
  const auto half = static_cast<std::int16_t>(bytes[0] | bytes[1] << 8);
  const auto bits = static_cast<std::uint32_t>(half);
  if (((bits + 0x0400) & 0x7800) == 0) [[unlikely]]
    return rare_half(bits);
  return std::bit_cast<float>((bits << 13 & 0x8FFFE000) + (112U << 23));
}

}  // namespace tied
