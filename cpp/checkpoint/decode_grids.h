// Blocks of GGUF files that store places in grids: sets of points whose coordinates take few values. Each place is 8
// elements, or 4 of IQ3. The formulas are those of ggml, operation by operation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// Each decodes `blocks` blocks that begin at `bytes`, at any address, into 256 floats each.
void decode_iq2_xxs(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_iq2_xs(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_iq2_s(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_iq3_xxs(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_iq3_s(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_iq1_s(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_iq1_m(float* out, const std::uint8_t* bytes, std::size_t blocks);

}  // namespace tied
