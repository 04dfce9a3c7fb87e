// The large blocks of GGUF files: 256 elements in groups of 16 or 32, each group with a scale of its own that is a
// multiple of the block's. The formulas are those of ggml, operation by operation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// Each decodes `blocks` blocks that begin at `bytes`, at any address, into 256 floats each.
void decode_q4_k(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_q5_k(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_q6_k(float* out, const std::uint8_t* bytes, std::size_t blocks);

}  // namespace tied
