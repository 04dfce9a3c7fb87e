// Results that are known to the bit are those of the baseline builds: in the relaxed build the reader's processor
// decides how a product and a sum are rounded, and nothing but tolerances can be asked of it.
#pragma once

#include <doctest/doctest.h>

#include "linalg/simd.h"

namespace tied::test {

// Whether results have the bits of every other baseline build; where not, a test that needs them says so and ends.
inline bool has_baseline_bits() {
  if (simd::kRelaxed) MESSAGE("not in the relaxed build, whose bits depend on the processor");
  return !simd::kRelaxed;
}

}  // namespace tied::test
