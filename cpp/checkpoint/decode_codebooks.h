// Blocks of GGUF files whose four bits are places in a table of numbers. The formulas are those of ggml, operation by
// operation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// Each decodes `blocks` blocks that begin at `bytes`, at any address, into 32, 256, 32 and 64 floats each.
void decode_iq4_nl(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_iq4_xs(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_mxfp4(float* out, const std::uint8_t* bytes, std::size_t blocks);
void decode_nvfp4(float* out, const std::uint8_t* bytes, std::size_t blocks);

}  // namespace tied
