// Recorded bits are those of the baseline builds. In the relaxed build, the processor decides how a product and a sum
// are rounded, so tests can only check tolerances.
#pragma once

#include <doctest/doctest.h>

#include "linalg/simd.h"

namespace tied::test {

// Whether results have the recorded bits; if not, prints a message, and a test that needs them returns.
inline bool has_baseline_bits() {
  if (simd::kRelaxed) MESSAGE("not in the relaxed build, whose bits depend on the processor");
  return !simd::kRelaxed;
}

}  // namespace tied::test
