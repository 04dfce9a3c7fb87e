// Elements of any stored type as floats.
#pragma once

#include <cstdint>
#include <span>

#include "base/error.h"
#include "checkpoint/element_type.h"

namespace tied {

// out = the elements of `bytes`. The same bits in every build, except for the payload of a NaN from a product or sum in
// a quantized block.
// Errors: kShapeMismatch unless `out` has whole blocks and `bytes` exactly these; nothing is read or written then.
Status decode_elements(std::span<float> out, ElementType type, std::span<const std::uint8_t> bytes);

}  // namespace tied
