// The small blocks of GGUF files: 32 elements with one scale. The formulas are those of ggml, operation by operation,
// so the bits are the same; nothing is rounded except the sum in blocks with a minimum.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// Each decodes `blocks` blocks that begin at `bytes`, at any address, into 32 floats each.
void decode_q8_0(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_q4_0(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_q4_1(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_q5_0(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_q5_1(float* out, const std::uint8_t* bytes, std::size_t blocks);

}  // namespace tied
