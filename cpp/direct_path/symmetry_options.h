// Shared by both ways to measure symmetry.
#pragma once

#include <cstddef>

#include "direct_path/symmetry.h"

namespace tied {

// Errors: kInvalidArgument for a tolerance that is negative or not finite and for worst > kMaxWorstPairs.
Status check_symmetry_options(const SymmetryOptions& options);

// Number of pairs to list: `worst`, or all there are.
std::size_t listed_pairs(std::size_t worst, std::size_t vocab_size);

// Sets norm and asymmetry from the norms of the two parts, which are orthogonal:
//   norm^2 = symmetric_norm^2 + skew_norm^2
void set_norm_and_asymmetry(Symmetry& result);

}  // namespace tied
