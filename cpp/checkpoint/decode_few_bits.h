// Blocks of GGUF files with at most three bits per element. The formulas are those of ggml, operation by operation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// Each decodes `blocks` blocks that begin at `bytes`, at any address, into 256 floats each; q1_0 into 128, q2_0
// into 64.
void decode_q2_k(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_q3_k(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_tq1_0(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_tq2_0(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_q1_0(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_q2_0(float* out, const std::uint8_t* bytes, std::size_t blocks);

}  // namespace tied
