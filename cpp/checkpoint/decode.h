// Elements of any stored type as floats.
#pragma once

#include <cstdint>
#include <span>

#include "base/error.h"
#include "checkpoint/element_type.h"

namespace tied {

// out = the elements of `bytes`. The same bits in every build, but for the payload of a NaN that a product or sum of a
// quantised block gives.
// Errors: kShapeMismatch unless `out` has whole blocks and `bytes` exactly these; nothing is read or written then.
Status decode_elements(std::span<float> out, ElementType type, std::span<const std::uint8_t> bytes);

}  // namespace tied
