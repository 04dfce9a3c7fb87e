// Cases of diagnostics of tables as large as GPT-2 small's.
#pragma once

#include <vector>

#include "case.h"

namespace tied::bench {

// "diagnose/align/orthogonal/<V>x<d>", ".../linear/...", "diagnose/spectrum/...", "diagnose/isotropy/...",
// "diagnose/cka/...", "diagnose/neighbors/...", "diagnose/norm-frequency/...", "diagnose/hidden-states/..." of 64
// states, "diagnose/spectral-distance/..." of 1,024 of the rows, and of two tables of the training lab.
// "diagnose/products/orthogonal/..." and ".../linear/...": only the products of such an alignment, in float.
void add_diagnostics(std::vector<Case>& cases);

}  // namespace tied::bench
