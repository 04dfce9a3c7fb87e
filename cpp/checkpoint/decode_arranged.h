// Elements of tables that files store in several tensors, arranged in blocks of 16: a 32-bit scale, for some a 32-bit
// bias, then the numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// Each decodes `blocks` blocks that begin at `bytes`, at any address, into 16 floats each.

// f32 scale, f32 bias, 2 * kBits bytes with numbers of kBits bits, the lowest first: scale * number + bias.
template <int kBits>
void decode_affine(float* out, const std::uint8_t* bytes, std::size_t blocks);

// f32 scale, 8 bytes with numbers of E2M1, low nibbles first: scale * number.
void decode_scaled_e2m1(float* out, const std::uint8_t* bytes, std::size_t blocks);

// f32 scale, 16 numbers of E4M3: scale * number.
void decode_scaled_e4m3(float* out, const std::uint8_t* bytes, std::size_t blocks);

}  // namespace tied
