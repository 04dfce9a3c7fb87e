#include "checkpoint/decode.h"

#include <cstring>

#include "checkpoint/decode_arranged.h"
#include "checkpoint/decode_blocks.h"
#include "checkpoint/decode_codebooks.h"
#include "checkpoint/decode_few_bits.h"
#include "checkpoint/decode_floats.h"
#include "checkpoint/decode_grids.h"
#include "checkpoint/decode_super_blocks.h"
#include "linalg/checks.h"

namespace tied {
namespace {

void decode_f32(float* out, const std::uint8_t* bytes, std::size_t count) {
  if (count > 0) std::memcpy(out, bytes, count * sizeof(float));
}

using Decode = void (*)(float* out, const std::uint8_t* bytes, std::size_t blocks);

constexpr Decode kDecoders[kElementTypes] = {
    decode_f32,         decode_f64,         decode_f16,       decode_bf16,        decode_f8_e4m3,     decode_f8_e5m2,
    decode_f8_e4m3fnuz, decode_f8_e5m2fnuz, decode_q8_0,      decode_q6_k,        decode_q5_k,        decode_q4_k,
    decode_q4_0,        decode_q4_1,        decode_q5_0,      decode_q5_1,        decode_q2_k,        decode_q3_k,
    decode_iq4_nl,      decode_iq4_xs,      decode_mxfp4,     decode_nvfp4,       decode_tq1_0,       decode_tq2_0,
    decode_q1_0,        decode_q2_0,        decode_iq2_xxs,   decode_iq2_xs,      decode_iq2_s,       decode_iq3_xxs,
    decode_iq3_s,       decode_iq1_s,       decode_iq1_m,     decode_affine<2>,   decode_affine<3>,   decode_affine<4>,
    decode_affine<5>,   decode_affine<6>,   decode_affine<8>, decode_scaled_e2m1, decode_scaled_e4m3,
};

}  // namespace

Status decode_elements(std::span<float> out, ElementType type, std::span<const std::uint8_t> bytes) {
  const ElementBlock block = block_of(type);
  const std::string_view name = kElementNames[static_cast<std::size_t>(type)];
  if (out.size() % block.elements != 0) {
    return make_error(ErrorCode::kShapeMismatch, "elements", out.size(),
                      joined({"a multiple of ", text_of(block.elements), ", the block of ", name}));
  }
  const std::size_t blocks = out.size() / block.elements;
  // Divided rather than multiplied, which could overflow.
  if (bytes.size() / block.bytes != blocks || bytes.size() % block.bytes != 0) {
    return make_error(ErrorCode::kShapeMismatch, "bytes.length", bytes.size(),
                      joined({text_of(block.bytes), " for each of ", text_of(blocks), " blocks of ", name}));
  }
  kDecoders[static_cast<std::size_t>(type)](out.data(), bytes.data(), blocks);
  return {};
}

}  // namespace tied
